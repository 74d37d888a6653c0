dlm 1

# A rule, and for each a run that breaks it and one that just does not: `<rule>_rejected`, `<rule>_accepted`.

use std.megadlms.Pretrain
use std.recipes.masked_diffusion

## A small run that breaks no rule.
abstract experiment base extends Pretrain with masked_diffusion {
  model {
    num_layers              = 4
    hidden_size             = 64
    num_attention_heads     = 4
    vocab_size              = 257
    max_position_embeddings = 64
  }

  diffusion.mask_token = 256

  train {
    budget            = 100 iters
    seq_length        = 64
    global_batch_size = 16
    micro_batch_size  = 8
  }

  optimizer.lr    = 1e-3
  sampling.length = 32
  data.text       = "book.txt"
}

experiment data_has_a_source_rejected extends base {
  unset data.text
  data.tokenizer_type = NullTokenizer
}

experiment data_has_a_source_accepted extends base {
  unset data.text
  data.tokenizer_type = NullTokenizer
  data.mock_data      = true
}

experiment mock_or_real_data_rejected extends base {
  data.mock_data       = true
  data.train_data_path = ["train"]
}

experiment mock_or_real_data_accepted extends base {
  data.mock_data = true
}

experiment split_or_separate_data_rejected extends base {
  data.data_path       = ["all"]
  data.valid_data_path = ["valid"]
}

experiment split_or_separate_data_accepted extends base {
  data.data_path = ["0.3", "a", "0.7", "b"]
}

experiment separate_data_is_not_split_rejected extends base {
  data.train_data_path = ["train"]
  data.split           = "98,1,1"
}

experiment separate_data_is_not_split_accepted extends base {
  data.data_path = ["all"]
  data.split     = "98,1,1"
}

experiment tokenizer_needs_model_rejected extends base {
  data.tokenizer_type = HuggingFaceTokenizer
}

experiment tokenizer_needs_model_accepted extends base {
  data.tokenizer_type  = HuggingFaceTokenizer
  data.tokenizer_model = "gpt2"
}

experiment sentencepiece_needs_model_rejected extends base {
  data.tokenizer_type = Llama2Tokenizer
}

experiment sentencepiece_needs_model_accepted extends base {
  data.tokenizer_type  = Llama2Tokenizer
  data.tokenizer_model = "tokenizer.model"
}

experiment gpt2_tokenizer_needs_files_rejected extends base {
  data.tokenizer_type = GPT2BPETokenizer
  data.vocab_file     = "vocab.json"
}

experiment gpt2_tokenizer_needs_files_accepted extends base {
  data.tokenizer_type = GPT2BPETokenizer
  data.vocab_file     = "vocab.json"
  data.merge_file     = "merges.txt"
}

experiment bert_tokenizer_needs_file_rejected extends base {
  data.tokenizer_type = BertWordPieceCase
}

experiment bert_tokenizer_needs_file_accepted extends base {
  data.tokenizer_type = BertWordPieceCase
  data.vocab_file     = "vocab.txt"
}

experiment tokenizer_has_code_rejected extends base {
  data.tokenizer_type = MultimodalTokenizer
}

experiment tokenizer_has_code_accepted extends base {
  data.tokenizer_type = NullTokenizer
}

experiment packing_needs_both_rejected extends base {
  data.reset_position_ids = true
}

experiment packing_needs_both_accepted extends base {
  data.reset_position_ids            = true
  data.reset_attention_mask          = true
  diffusion.cut_off_varlen_to_seqlen = true
}

experiment train_data_said_once_rejected extends base {
  data.tokenizer_type = NullTokenizer
  data.train "books" { path = "books"; weight = 2 }
  data.train_data_path = ["books"]
}

experiment train_data_said_once_accepted extends base {
  data.tokenizer_type = NullTokenizer
  data.train "books" { path = "books"; weight = 2 }
  data.train "code" { path = "code" }
}

experiment valid_data_said_once_rejected extends base {
  data.tokenizer_type = NullTokenizer
  data.valid "books" { path = "books"; weight = 2 }
  data.valid_data_path = ["books"]
}

experiment valid_data_said_once_accepted extends base {
  data.tokenizer_type = NullTokenizer
  data.valid "books" { path = "books"; weight = 2 }
  data.valid "code" { path = "code" }
}

experiment test_data_said_once_rejected extends base {
  data.tokenizer_type = NullTokenizer
  data.test "books" { path = "books"; weight = 2 }
  data.test_data_path = ["books"]
}

experiment test_data_said_once_accepted extends base {
  data.tokenizer_type = NullTokenizer
  data.test "books" { path = "books"; weight = 2 }
  data.test "code" { path = "code" }
}
