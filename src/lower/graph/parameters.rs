//! Parameters: shapes, first values, sharding, decay.

use crate::lower::graph::Blueprint;
use crate::spec::graph::{Init, NormKind, Parameter, Sharding};

impl Blueprint<'_> {
    /// A matrix with normal first values.
    pub(super) fn weight(&self, name: &str, size: &[u64], sharding: Sharding) -> Parameter {
        self.matrix(name, size, sharding, *self.network.init_method_std)
    }

    /// A matrix that ends in the residual stream: its first values are smaller the deeper the network, so that the sum
    /// over layers keeps its scale. Each layer adds twice.
    pub(super) fn residual_weight(&self, name: &str, size: &[u64], sharding: Sharding) -> Parameter {
        #[expect(clippy::cast_precision_loss, reason = "at most 2^13 layers")]
        let adds = (2 * self.layers) as f64;
        self.matrix(name, size, sharding, *self.network.init_method_std / adds.sqrt())
    }

    /// A bias: zeros, spared from weight decay.
    pub(super) fn bias(&self, name: &str, size: u64, sharding: Sharding) -> Parameter {
        Parameter {
            name: name.to_owned(),
            shape: vec![size],
            dtype: self.dtype,
            sharding,
            init: Init::Zeros,
            decays: false,
        }
    }

    /// The weight of a norm, and its bias if it has one, under names that begin with `prefix`. Every rank keeps all.
    pub(super) fn norm_parameters(&self, prefix: &str, size: u64) -> Vec<Parameter> {
        let weight = Parameter {
            // A weight kept as its distance from one starts at zero.
            init: if self.norm.zero_centered { Init::Zeros } else { Init::Ones },
            ..self.bias(&format!("{prefix}weight"), size, Sharding::Replicated)
        };
        let bias = match self.norm.norm {
            NormKind::LayerNorm => Some(self.bias(&format!("{prefix}bias"), size, Sharding::Replicated)),
            NormKind::RmsNorm => None,
        };
        std::iter::once(weight).chain(bias).collect()
    }

    fn matrix(&self, name: &str, size: &[u64], sharding: Sharding, std: f64) -> Parameter {
        Parameter {
            name: name.to_owned(),
            shape: size.to_vec(),
            dtype: self.dtype,
            sharding,
            init: Init::Normal { std },
            decays: true,
        }
    }
}
