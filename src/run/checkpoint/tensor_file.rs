//! Safetensors files: named tensors, written in one piece and read back with a checksum.
#![allow(clippy::disallowed_methods, reason = "the runtime owns the run folder")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensors, View};
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};

use crate::run::RunError;
use crate::run::folder::write;

/// Size and CRC-32C of a file, by which it is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileMark {
    /// Its length.
    pub bytes: u64,
    /// CRC-32C of its content.
    pub crc32c: u32,
}

/// Writes named tensors and syncs the file.
pub(super) fn write(path: &Path, tensors: &[(String, &Tensor)]) -> Result<FileMark, RunError> {
    let views = tensors.iter().map(|(name, tensor)| Ok((name.as_str(), Bytes::of(name, tensor)?)));
    let views: Vec<(&str, Bytes)> = views.collect::<Result<_, RunError>>()?;
    let format = [("format".to_owned(), "pt".to_owned())].into();
    let content = safetensors::serialize(views, Some(format))
        .map_err(|fault| RunError::file(path, format!("the tensors cannot be written: {fault}")))?;
    write::new_file(path, &content)?;
    Ok(FileMark { bytes: content.len() as u64, crc32c: crc32c::crc32c(&content) })
}

/// A tensor as safetensors wants it.
struct Bytes {
    dtype: Dtype,
    shape: Vec<usize>,
    content: Vec<u8>,
}

impl Bytes {
    fn of(name: &str, tensor: &Tensor) -> Result<Bytes, RunError> {
        let _guard = tch::no_grad_guard();
        let dtype = dtype_of(tensor.kind()).ok_or_else(|| {
            RunError::plan(format!("`{name}` is of type {:?}, which has no place in a checkpoint", tensor.kind()))
        })?;
        let tensor = tensor.f_detach()?.f_to_device(Device::Cpu)?.f_contiguous()?;
        let elements = tensor.numel();
        let mut content = vec![0; elements * tensor.kind().elt_size_in_bytes()];
        tensor.f_copy_data_u8(&mut content, elements)?;
        let shape = tensor.size().into_iter().map(|size| usize::try_from(size).unwrap_or_default()).collect();
        Ok(Bytes { dtype, shape, content })
    }
}

impl View for Bytes {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.content)
    }

    fn data_len(&self) -> usize {
        self.content.len()
    }
}

/// The tensors of a file, to be taken out by name.
#[derive(Debug)]
pub struct TensorFile {
    path: PathBuf,
    tensors: BTreeMap<String, Tensor>,
}

impl TensorFile {
    /// Reads a whole file. With a mark, its size and checksum must be those.
    ///
    /// # Errors
    /// It is missing, unreadable, not as marked, or no safetensors file.
    pub fn read(path: &Path, mark: Option<FileMark>) -> Result<TensorFile, RunError> {
        let content = fs::read(path).map_err(RunError::io("read", path))?;
        if let Some(mark) = mark {
            if content.len() as u64 != mark.bytes {
                let what = format!("the file is damaged: it has {} bytes, {} were written", content.len(), mark.bytes);
                return Err(RunError::file(path, what));
            }
            let found = crc32c::crc32c(&content);
            if found != mark.crc32c {
                let what = format!("the file is damaged: its CRC-32C is {found:08x}, {:08x} was written", mark.crc32c);
                return Err(RunError::file(path, what));
            }
        }
        let parsed = SafeTensors::deserialize(&content)
            .map_err(|fault| RunError::file(path, format!("this is no sound safetensors file: {fault}")))?;
        let mut tensors = BTreeMap::new();
        for (name, view) in parsed.iter() {
            let kind = kind_of(view.dtype()).ok_or_else(|| {
                RunError::file(
                    path,
                    format!("`{name}` is of type {:?}, which this runtime does not read", view.dtype()),
                )
            })?;
            let size: Vec<i64> = view.shape().iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect();
            tensors.insert(name.to_owned(), Tensor::f_from_data_size(view.data(), &size, kind)?);
        }
        Ok(TensorFile { path: path.to_owned(), tensors })
    }

    /// Takes out the tensor of a name, which must have a shape and be of single precision.
    pub fn take(&mut self, name: &str, shape: &[i64]) -> Result<Tensor, RunError> {
        let tensor = self
            .tensors
            .remove(name)
            .ok_or_else(|| RunError::file(&self.path, format!("tensor `{name}` of shape {shape:?} is missing")))?;
        if tensor.size() != shape {
            let what = format!("tensor `{name}` has shape {:?}, needed is {shape:?}", tensor.size());
            return Err(RunError::file(&self.path, what));
        }
        if tensor.kind() != Kind::Float {
            let what = format!("tensor `{name}` is of type {:?}, needed is Float", tensor.kind());
            return Err(RunError::file(&self.path, what));
        }
        Ok(tensor)
    }

    /// Checks that nothing is left over.
    pub fn finish(self) -> Result<(), RunError> {
        match self.tensors.first_key_value() {
            None => Ok(()),
            Some((name, tensor)) => Err(RunError::file(
                &self.path,
                format!(
                    "tensor `{name}` of shape {:?} has no place in the network ({} such in all)",
                    tensor.size(),
                    self.tensors.len()
                ),
            )),
        }
    }
}

fn dtype_of(kind: Kind) -> Option<Dtype> {
    KINDS.iter().find(|(known, _)| *known == kind).map(|(_, dtype)| *dtype)
}

fn kind_of(dtype: Dtype) -> Option<Kind> {
    KINDS.iter().find(|(_, known)| *known == dtype).map(|(kind, _)| *kind)
}

const KINDS: [(Kind, Dtype); 5] = [
    (Kind::Float, Dtype::F32),
    (Kind::Double, Dtype::F64),
    (Kind::Half, Dtype::F16),
    (Kind::BFloat16, Dtype::BF16),
    (Kind::Int64, Dtype::I64),
];
