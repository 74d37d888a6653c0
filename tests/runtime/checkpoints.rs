//! Damaged checkpoints and run folders: each is told with its path, and nothing takes their place in silence.

use std::fs;
use std::path::Path;
use std::process;

use crate::run::checkpoint::{self, load_model};
use crate::run::{RunFolder, Start};
use dlm::spec::RunSpec;
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;

use crate::specs::Place;
use crate::training::run;

/// A finished tiny run.
fn finished() -> (Place, RunSpec) {
    let (place, spec) = Place::tiny();
    run(&place, &spec, Start::Fresh).unwrap();
    (place, spec)
}

fn resume_fault(place: &Place, spec: &RunSpec) -> String {
    run(place, spec, Start::Resume).unwrap_err().to_string()
}

const FILES: [&str; 3] = ["model.safetensors", "optimizer.safetensors", "state.json"];

#[test]
fn every_file_cut_off_anywhere_is_told() {
    let (place, spec) = finished();
    for name in FILES {
        let path = place.run().join("checkpoints/step-12").join(name);
        let whole = fs::read(&path).unwrap();
        for length in [0, 1, 7, 8, 100, whole.len() / 2, whole.len() - 4, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let fault = resume_fault(&place, &spec);
            assert!(fault.starts_with(&format!("`{}`: the file is damaged", path.display())), "{length}: {fault}");
        }
        fs::remove_file(&path).unwrap();
        let fault = resume_fault(&place, &spec);
        assert!(fault.starts_with(&format!("cannot read `{}`", path.display())), "{fault}");
        fs::write(&path, &whole).unwrap();
    }
    run(&place, &spec, Start::Resume).unwrap();
}

#[test]
fn every_file_with_a_turned_bit_is_told() {
    let (place, spec) = finished();
    for name in FILES {
        let path = place.run().join("checkpoints/step-12").join(name);
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 23) {
            let mut garbled = whole.clone();
            garbled[at] ^= 1 << (at % 8);
            fs::write(&path, &garbled).unwrap();
            let fault = resume_fault(&place, &spec);
            assert!(fault.starts_with(&format!("`{}`: ", path.display())), "{at}: {fault}");
        }
        fs::write(&path, &whole).unwrap();
    }
    run(&place, &spec, Start::Resume).unwrap();
}

/// The tensors of a file that lives as long as the test.
type Entries = Vec<(String, TensorView<'static>)>;

/// Files that are sound in themselves, with marks to match, but of another network.
#[test]
fn tensors_of_another_network_are_told_with_their_shapes() {
    let (place, spec) = finished();
    let path = place.run().join("checkpoints/step-12/model.safetensors");
    let whole: &'static [u8] = fs::read(&path).unwrap().leak();
    let tensors = SafeTensors::deserialize(whole).unwrap();
    let name = "decoder.final_layernorm.weight";
    let view =
        |shape: Vec<usize>, bytes: usize, dtype| TensorView::new(dtype, shape, &whole[whole.len() - bytes..]).unwrap();
    let fault = |change: &dyn Fn(&mut Entries)| {
        let mut entries = tensors.tensors();
        change(&mut entries);
        let content = safetensors::serialize(entries, None).unwrap();
        fs::write(&path, &content).unwrap();
        remark(&place, &content);
        load_model(&spec, &place.folder(), None).unwrap_err().to_string()
    };
    let replace = |shape: Vec<usize>, bytes: usize, dtype| {
        let view = view(shape, bytes, dtype);
        fault(&|entries| entries.iter_mut().filter(|(known, _)| known == name).for_each(|entry| entry.1 = view.clone()))
    };
    let at = path.display();
    let single = safetensors::Dtype::F32;
    assert_eq!(replace(vec![33], 132, single), format!("`{at}`: tensor `{name}` has shape [33], needed is [32]"));
    assert_eq!(replace(vec![4, 8], 128, single), format!("`{at}`: tensor `{name}` has shape [4, 8], needed is [32]"));
    assert_eq!(
        replace(vec![32], 256, safetensors::Dtype::F64),
        format!("`{at}`: tensor `{name}` is of type Double, needed is Float")
    );
    assert!(replace(vec![32], 32, safetensors::Dtype::U8).contains("is of type U8, which this runtime does not read"));
    assert_eq!(
        fault(&|entries| entries.retain(|(known, _)| known != name)),
        format!("`{at}`: tensor `{name}` of shape [32] is missing")
    );
    let extra = view(vec![2], 8, single);
    assert_eq!(
        fault(&|entries| entries.push(("lm_head.bias".to_owned(), extra.clone()))),
        format!("`{at}`: tensor `lm_head.bias` of shape [2] has no place in the network (1 such in all)")
    );
    // The same way of writing gives a checkpoint that is taken, when nothing is changed.
    fs::write(&path, whole).unwrap();
    remark(&place, whole);
    load_model(&spec, &place.folder(), None).unwrap();
}

/// Makes the state of the checkpoint fit a new content of the model's file.
fn remark(place: &Place, content: &[u8]) {
    let path = place.run().join("checkpoints/step-12/state.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut state: serde_json::Value = serde_json::from_str(&text).unwrap();
    state["files"]["model.safetensors"]["bytes"] = content.len().into();
    state["files"]["model.safetensors"]["crc32c"] = crc32c::crc32c(content).into();
    state.as_object_mut().unwrap().remove("crc32c");
    seal(&path, &state);
}

/// Writes a state with a checksum that fits.
fn seal(path: &Path, state: &serde_json::Value) {
    let text = serde_json::to_string_pretty(state).unwrap();
    let open = text.strip_suffix("\n}").unwrap();
    fs::write(path, format!("{open},\n  \"crc32c\": {}\n}}\n", crc32c::crc32c(open.as_bytes()))).unwrap();
}

#[test]
fn states_that_are_sound_and_yet_wrong() {
    let (place, spec) = finished();
    let path = place.run().join("checkpoints/step-12/state.json");
    let whole: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let fault = |change: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let mut state = whole.clone();
        let fields = state.as_object_mut().unwrap();
        fields.remove("crc32c");
        change(fields);
        seal(&path, &state);
        resume_fault(&place, &spec)
    };
    let set = |name: &'static str, value: u64| fault(&move |fields| drop(fields.insert(name.to_owned(), value.into())));
    assert!(set("step", 11).contains("it is the state of step 11, in the folder of step 12"));
    assert!(set("samples", 97).contains("its 97 samples do not fit its 12 steps"));
    assert!(set("version", 2).contains("it is of version 2, and this build reads version 1"));
    assert!(set("surprise", 2).contains("unknown field `surprise`"));
    assert!(fault(&|fields| drop(fields.remove("text"))).contains("missing field `text`"));
}

#[test]
fn the_name_of_the_latest_checkpoint() {
    let (place, spec) = finished();
    let path = place.run().join("checkpoints/latest");
    let fault = |content: &str| {
        fs::write(&path, content).unwrap();
        resume_fault(&place, &spec)
    };
    assert_eq!(
        fault("step-11\n"),
        format!(
            "`{}`: it names `step-11`, which is not there; write the name of another checkpoint into it to go on from \
             that: step-4, step-8, step-12",
            path.display()
        )
    );
    for garbage in ["", "12", "step-012", "step-", "step-99999999999999999999", "../step-4"] {
        assert!(fault(garbage).contains("it should hold the name of a checkpoint"), "{garbage}");
    }
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(resume_fault(&place, &spec).contains("the file is not UTF-8"));
    fs::remove_file(&path).unwrap();
    assert!(
        resume_fault(&place, &spec).contains("the file is missing; write the name of the checkpoint to go on from")
    );
    // Going back on purpose.
    fs::write(&path, "step-4").unwrap();
    assert_eq!(run(&place, &spec, Start::Resume).unwrap().step, 12);
}

#[test]
fn checkpoints_to_sample_from() {
    let (place, mut spec) = finished();
    let (_, checkpoint) = load_model(&spec, &place.folder(), Some(8)).unwrap();
    assert_eq!(checkpoint.state().step, 8);
    let fault = |spec: &RunSpec, step| load_model(spec, &place.folder(), step).unwrap_err().to_string();
    assert!(fault(&spec, Some(7)).ends_with("there is no such checkpoint; steps 4, 8, 12"));
    // What only training needs does not matter.
    spec.plan.seed += 1;
    load_model(&spec, &place.folder(), None).unwrap();
    spec.graph.root.children[0].children[0].parameters[0].shape[0] += 1;
    assert!(fault(&spec, None).contains("`graph` in"));
    let empty = Place::tiny();
    let fault = load_model(&empty.1, &empty.0.folder(), None).unwrap_err().to_string();
    assert!(fault.ends_with("there is no checkpoint yet: train first"), "{fault}");
}

#[test]
fn a_checkpoint_of_the_same_step_is_replaced_whole() {
    let (place, spec) = finished();
    let folder = place.run().join("checkpoints");
    // Killed between the two renames of a replacement.
    fs::rename(folder.join("step-12"), folder.join(".step-12.old")).unwrap();
    run(&place, &spec, Start::Resume).unwrap();
    assert!(folder.join("step-12").exists() && !folder.join(".step-12.old").exists());
}

#[test]
fn run_folders_that_are_none() {
    let place = Place::new();
    let fault = |path: &Path| RunFolder::open(path).unwrap_err().to_string();
    assert!(fault(&place.home.path().join("nothing")).starts_with("cannot open the run folder"));
    assert!(fault(&place.text()).ends_with("this is no folder; a run folder was expected"));
    assert!(fault(&place.run()).ends_with("there is no `run.json` here, so this is no run folder"));
}

#[test]
fn a_run_specification_comes_back_to_the_last_bit() {
    let (place, mut spec) = Place::tiny();
    assert_eq!(place.folder().spec().unwrap(), spec);
    for rate in [0.1 + 0.2, 5e-324, 1.0 / 3e9, 9_007_199_254_740_993.5, 6.02e23, 35_f64.sqrt()] {
        spec.plan.learning_rate.peak = rate;
        place.write(&spec);
        assert_eq!(place.folder().spec().unwrap().plan.learning_rate.peak.to_bits(), rate.to_bits());
    }
}

#[test]
fn run_specifications_that_cannot_be_read() {
    let (place, spec) = Place::tiny();
    let path = place.run().join("run.json");
    let fault = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        let fault = place.folder().spec().unwrap_err().to_string();
        fault.strip_prefix(&format!("`{}`: ", path.display())).unwrap().to_owned()
    };
    let whole = serde_json::to_string_pretty(&spec).unwrap();
    let line_of = |text: &str, needle: &str| text.lines().position(|line| line.contains(needle)).unwrap() + 1;
    assert_eq!(fault(b""), "line 1, column 0: EOF while parsing a value");
    assert!(fault(&[0xff]).contains("not UTF-8: byte 0"));
    assert!(fault(&whole.as_bytes()[..whole.len() / 2]).contains("EOF while parsing"));
    let wrong = whole.replace("\"seed\": 1234", "\"seed\": \"many\"");
    assert_eq!(
        fault(wrong.as_bytes()).split(": invalid").next().unwrap(),
        format!("line {}, column 18, `plan.seed`", line_of(&wrong, "\"seed\""))
    );
    let unknown = whole.replace("\"micro\": 4", "\"macro\": 4");
    let said = fault(unknown.as_bytes());
    assert!(said.contains("`plan.batch`: unknown field `macro`, expected one of `micro`"), "{said}");
    let missing = whole.replace("\"iterations\": 12,", "");
    assert!(fault(missing.as_bytes()).contains("`plan`: missing field `iterations`"), "{}", fault(missing.as_bytes()));
    assert!(
        fault(whole.replace("\"version\": 1", "\"version\": 2").as_bytes())
            .contains("this build of dlm reads version 1")
    );
    let deep = |text: &str| format!("{{\"version\": 1, {}", text.repeat(100_000)).into_bytes();
    assert!(fault(&deep("\"experiment\": [")).contains("line 1, "));
    assert!(fault(&deep("\"graph\": {\"root\": {\"children\": [{")).contains("line 1, "));
    let nested = format!("{{\"version\": 1, \"graph\": {{\"root\": {}", "{\"children\": [".repeat(100_000));
    let ends = "]}".repeat(100_000);
    assert!(fault(format!("{nested}{ends}}}}}").as_bytes()).contains("recursion limit exceeded"));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(place.folder().spec().unwrap_err().to_string().contains("this is a folder"));
}

#[test]
fn one_process_at_a_time() {
    let (place, spec) = Place::tiny();
    let folder = place.folder();
    let path = place.run().join("lock");
    let held = folder.lock().unwrap();
    let fault = folder.lock().unwrap_err().to_string();
    assert!(fault.contains(&format!("process {} is at work in this run folder", process::id())), "{fault}");
    drop(held);
    assert!(!path.exists());

    let mut holder: serde_json::Value = {
        let _held = folder.lock().unwrap();
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()
    };
    let mut write = |name: &str, value: serde_json::Value| {
        let before = holder.clone();
        holder[name] = value;
        fs::write(&path, holder.to_string()).unwrap();
        holder = before;
    };
    // A process that has ended, one whose number was given to another, one from before the last boot.
    for (name, value) in [("pid", 4_194_304.into()), ("started", "1".into()), ("boot", "earlier".into())] {
        write(name, value);
        drop(folder.lock().unwrap());
        assert!(!path.exists());
    }
    write("host", "elsewhere".into());
    let fault = folder.lock().unwrap_err().to_string();
    assert!(fault.contains("on the machine `elsewhere`") && fault.contains("remove this file"), "{fault}");
    fs::write(&path, "{").unwrap();
    assert!(folder.lock().unwrap_err().to_string().contains("the lock is damaged"));
    fs::remove_file(&path).unwrap();
    let left: Vec<_> = fs::read_dir(place.run()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["run.json"]);
    // Training gives it back, and is refused while another holds it.
    let held = folder.lock().unwrap();
    assert!(run(&place, &spec, Start::Fresh).unwrap_err().to_string().contains("is at work"));
    drop(held);
    run(&place, &spec, Start::Fresh).unwrap();
}

#[test]
fn old_checkpoints_go_and_the_latest_stays() {
    let (place, _) = finished();
    let folder = place.folder();
    assert_eq!(checkpoint::steps(&folder).unwrap(), [4, 8, 12]);
    fs::write(place.run().join("checkpoints/latest"), "step-4\n").unwrap();
    assert_eq!(checkpoint::prune(&folder, 1).unwrap(), 1);
    assert_eq!(checkpoint::steps(&folder).unwrap(), [4, 12]);
}
