//! Sampling against `tests/data/sampling.json`, which `tests/reference/make_sampling.py` wrote.

use crate::run::model::{Input, Model, Pass};
use crate::run::observer::{Observer, Unobserved};
use crate::run::sample;
use dlm::spec::plan::{Objective, Remasking, Sampling};
use safetensors::SafeTensors;
use serde::Deserialize;
use tch::{Kind, Tensor};

use crate::graphs::Sizes;
use crate::specs::MASK;

#[derive(Deserialize)]
struct Recorded {
    seed: u64,
    mask_token: i64,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    network: String,
    prompt: Vec<u8>,
    length: u64,
    block_length: u64,
    steps: u64,
    temperature: f64,
    remasking: Remasking,
    texts: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    tokens: Vec<u8>,
}

/// A network of `tests/data/numerics`, with its parameters.
fn reference_model(name: &str) -> Model {
    #[derive(Deserialize)]
    struct Described {
        network: Sizes,
    }
    let path = format!("{}/tests/data/numerics/{name}.safetensors", env!("CARGO_MANIFEST_DIR"));
    let content = std::fs::read(&path).unwrap();
    let (_, metadata) = SafeTensors::read_metadata(&content).unwrap();
    let stored = SafeTensors::deserialize(&content).unwrap();
    let case = metadata.metadata().as_ref().unwrap()["case"].clone();
    let Described { network } = serde_json::from_str(&case).unwrap();
    let model = Model::new(&network.graph(), 0).unwrap();
    for parameter in model.parameters() {
        let stored = stored.tensor(&format!("param.{}", parameter.name)).unwrap();
        let values = Tensor::from_data_size(stored.data(), &parameter.tensor.size(), Kind::Float);
        model.set_parameter(&parameter.name, &values).unwrap();
    }
    model
}

#[test]
fn generated_texts_are_those_of_the_reference() {
    let recorded: Recorded = serde_json::from_str(include_str!("../data/sampling.json")).unwrap();
    for case in &recorded.cases {
        let model = reference_model(&case.network);
        let sampling = Sampling {
            prompt: String::from_utf8(case.prompt.clone()).unwrap(),
            length: case.length,
            block_length: case.block_length,
            steps: case.steps,
            temperature: case.temperature,
            remasking: case.remasking,
            count: case.texts.len() as u64,
        };
        let objective = masked(recorded.mask_token);
        let texts = sample(&model, &objective, &sampling, recorded.seed, &mut Unobserved).unwrap();
        let expected: Vec<_> = case.texts.iter().map(|text| text.tokens.clone()).collect();
        assert_eq!(texts, expected, "{sampling:?}");
    }
}

fn masked(mask_token: i64) -> Objective {
    Objective::MaskedDiffusion { mask_token, varlen_probability: 0.0 }
}

fn plan(length: u64, block_length: u64, steps: u64) -> Sampling {
    let (prompt, remasking) = ("In the ".to_owned(), Remasking::LowConfidence);
    Sampling { prompt, length, block_length, steps, temperature: 1.0, remasking, count: 3 }
}

/// A byte that stands for the mask in one of the tests.
const TILDE: i64 = b'~' as i64;

/// A model whose head prefers the mask token and the padding rows above everything, and after them `~` or `}`.
fn model_that_prefers_no_token() -> Model {
    let model = Model::new(&Sizes::usual().graph(), 5).unwrap();
    let head = model.parameters().iter().find(|parameter| parameter.name == "output_layer.weight").unwrap();
    let values = head.tensor.detach().copy();
    // Long rows of either sign: for every hidden state one of the two has a great logit.
    for (row, value) in [(MASK, 50.0), (MASK + 1, -50.0), (300, 50.0), (301, -50.0), (TILDE, 20.0), (TILDE - 1, -20.0)]
    {
        let _ = values.get(row).fill_(value);
    }
    model.set_parameter("output_layer.weight", &values).unwrap();
    let input = Input { tokens: &[MASK; 4], length: 4, first_position: 1 };
    let likeliest = model.logits(input, Pass::default()).unwrap().argmax(2, false).min();
    assert!(likeliest.int64_value(&[]) >= MASK);
    model
}

#[test]
fn neither_the_mask_nor_a_padding_row_comes_out() {
    let model = model_that_prefers_no_token();
    for remasking in [Remasking::LowConfidence, Remasking::Random] {
        for temperature in [0.0, 1.0, 5.0] {
            let sampling = Sampling { remasking, temperature, ..plan(24, 8, 12) };
            // Texts are bytes by type; that decoding succeeds says that every token was one.
            let texts = sample(&model, &masked(MASK), &sampling, 1, &mut Unobserved).unwrap();
            assert_eq!(texts.iter().map(Vec::len).collect::<Vec<_>>(), [24; 3]);
        }
    }
    // A mask token that is a byte never comes out either; where it is none, it does.
    let texts = |mask| sample(&model, &masked(mask), &plan(24, 8, 24), 1, &mut Unobserved).unwrap().concat();
    assert!(texts(MASK).contains(&b'~') || texts(MASK).contains(&b'}'));
    assert!(!texts(TILDE).contains(&b'~'));
    assert!(!texts(TILDE - 1).contains(&b'}'));
}

#[test]
fn a_text_does_not_depend_on_those_beside_it() {
    let model = Model::new(&Sizes::usual().graph(), 5).unwrap();
    let texts =
        |count| sample(&model, &masked(MASK), &Sampling { count, ..plan(16, 8, 8) }, 9, &mut Unobserved).unwrap();
    let many = texts(5);
    assert_eq!(texts(2), many[..2]);
    assert_ne!(many[0], many[1]);
    assert!(texts(0).is_empty());
    let other = sample(&model, &masked(MASK), &plan(16, 8, 8), 10, &mut Unobserved).unwrap();
    assert_ne!(other[..2], many[..2]);
}

#[test]
fn autoregressive_models_go_on_token_by_token() {
    let model = Model::new(&Sizes::usual().graph(), 5).unwrap();
    let texts = |length| {
        let sampling = Sampling { temperature: 0.0, ..plan(length, length, 1) };
        sample(&model, &Objective::Autoregressive, &sampling, 1, &mut Unobserved).unwrap()
    };
    // What is already there does not change when more follows.
    assert_eq!(texts(4)[0], texts(9)[0][..4]);
    let empty = Sampling { prompt: String::new(), ..plan(4, 4, 1) };
    let fault = sample(&model, &Objective::Autoregressive, &empty, 1, &mut Unobserved).unwrap_err();
    assert!(fault.to_string().contains("prompt may not be empty"));
}

#[test]
fn lengths_and_steps_that_do_not_fit() {
    let model = Model::new(&Sizes::usual().graph(), 5).unwrap();
    let fault =
        |sampling: Sampling| sample(&model, &masked(MASK), &sampling, 1, &mut Unobserved).unwrap_err().to_string();
    assert_eq!(
        fault(plan(100, 32, 50)),
        "training plan: blocks of 32 tokens do not fill a length of 100; a length of 96 or 128 would do"
    );
    assert_eq!(
        fault(plan(96, 32, 50)),
        "training plan: 50 denoising steps cannot be shared evenly by 3 blocks (96 tokens in blocks of 32); 48 or 51 \
         steps would do"
    );
    assert!(fault(plan(0, 1, 1)).contains("`plan.sampling.length` is 0"));
    assert!(fault(plan(4, 0, 1)).contains("`plan.sampling.block_length` is 0"));
    assert!(fault(plan(4, 4, 0)).contains("`plan.sampling.steps` is 0"));
    assert!(fault(plan(1 << 40, 1 << 40, 1)).contains("which is too much"));
    assert!(fault(Sampling { temperature: f64::NAN, ..plan(4, 4, 1) }).contains("temperature"));
    assert!(fault(Sampling { temperature: -1.0, ..plan(4, 4, 1) }).contains("temperature"));
}

#[test]
fn every_step_is_told() {
    struct Steps(Vec<(u64, u64)>);
    impl Observer for Steps {
        fn denoised(&mut self, step: u64, steps: u64) {
            self.0.push((step, steps));
        }
    }
    let model = Model::new(&Sizes::usual().graph(), 5).unwrap();
    let mut steps = Steps(Vec::new());
    sample(&model, &masked(MASK), &Sampling { count: 1, ..plan(8, 4, 4) }, 1, &mut steps).unwrap();
    assert_eq!(steps.0, [(1, 4), (2, 4), (3, 4), (4, 4)]);
}
