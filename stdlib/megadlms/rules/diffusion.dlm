dlm 1

use std.megadlms.Pretrain

## What masked diffusion asks of vocabulary, layout and precision.
extend schema Pretrain {
  ## A mask token outside the embedding fails on one rank and silently becomes a vector of zeros on several.
  check mask_token_in_vocabulary: diffusion.mask_token < padded_vocab_size
    when diffusion.mode == difflm_noshift
    else "`mask_token` ({diffusion.mask_token}) lies outside the embedding, which has {padded_vocab_size} rows"
    help "on one rank the lookup fails, on several the mask silently becomes a vector of zeros; the last token is {model.vocab_size - 1}"
    fix diffusion.mask_token = model.vocab_size - 1
    upstream "tok.mask-token-range"

  ## A row of the padding works, but belongs to no token that a tokenizer or an exported model would know.
  warn mask_token_in_padding: diffusion.mask_token < model.vocab_size or data.tokenizer_type == NullTokenizer
    when diffusion.mode == difflm_noshift and diffusion.mask_token < padded_vocab_size
    else "`mask_token` ({diffusion.mask_token}) lies in the padding of the vocabulary ({model.vocab_size} tokens)"
    help "it trains, but no tokenizer knows that token; count the mask token in `vocab_size`"
    fix model.vocab_size = diffusion.mask_token + 1

  ## Bytes are the tokens 0 to 255.
  check mask_token_is_no_byte: diffusion.mask_token > 255
    when data.text is set and data.tokenizer == bytes and diffusion.mode == difflm_noshift
    else "`mask_token` ({diffusion.mask_token}) is a byte that text may contain"
    help "bytes are the tokens 0 to 255; set `mask_token = 256` and a `vocab_size` of at least 257"
    fix diffusion.mask_token = 256

  ## The first token is dropped, so the ranks that share a sequence get a length that is one short.
  check diffusion_splits_sequence: (train.seq_length - 1) % parallel.tensor_model_parallel_size == 0
    when diffusion.mode == difflm_noshift and parallel.sequence_parallel
    else "masked diffusion trains on {train.seq_length - 1} tokens of a sample, which {parallel.tensor_model_parallel_size} sequence-parallel ranks cannot share"
    help "`seq_length = {round_up(train.seq_length - 1, parallel.tensor_model_parallel_size) + 1}` works, or leave `sequence_parallel` out"
    fix train.seq_length = round_up(train.seq_length - 1, parallel.tensor_model_parallel_size) + 1
    upstream "dlm.sp-length"

  ## A batch of random length splits evenly by luck alone.
  check varlen_without_sequence_parallel: diffusion.varlen_prob == 0
    when diffusion.mode == difflm_noshift and parallel.sequence_parallel and parallel.tensor_model_parallel_size > 1
    else "`sequence_parallel` cannot share batches of random length (`varlen_prob` is {diffusion.varlen_prob})"
    help "set `varlen_prob = 0`, or leave `sequence_parallel` out"
    fix diffusion.varlen_prob = 0
    upstream "dlm.sp-varlen"

  ## Context parallelism wants an even number of tokens, masked diffusion leaves an odd one.
  check diffusion_without_context_parallel: parallel.context_parallel_size == 1
    when diffusion.mode == difflm_noshift
    else "masked diffusion cannot run with `context_parallel_size` {parallel.context_parallel_size}"
    help "it drops a token of each sample, and the pieces of a sequence no longer fit; use tensor or data parallelism"
    fix parallel.context_parallel_size = 1
    upstream "dlm.cp-odd"

  ## 8-bit products want a multiple of eight tokens.
  check fp8_token_count: (train.seq_length - 1) * train.micro_batch_size % 8 == 0
    when precision.fp8 is set and diffusion.mode == difflm_noshift
    else "8-bit products need a multiple of 8 tokens, but a forward pass has {(train.seq_length - 1) * train.micro_batch_size}"
    help "masked diffusion drops a token of each sample; a `micro_batch_size` of 8 always fits"
    fix train.micro_batch_size = 8
    upstream "dlm.fp8-dims"

  ## Packed documents must not run over the end of a sample.
  check packing_needs_cut: diffusion.cut_off_varlen_to_seqlen
    when data.reset_position_ids and data.reset_attention_mask
    else "packed documents need `cut_off_varlen_to_seqlen`"
    help "without it MegaDLMs stops at the first batch"
    fix diffusion.cut_off_varlen_to_seqlen = true
    upstream "dlm.pack-cut"

  ## The attention kernel takes packed documents without a mask only.
  check packing_needs_no_mask: diffusion.attention_mask == no_mask and diffusion.mode != vanilla
    when data.reset_position_ids and data.reset_attention_mask
    else "packed documents need `attention_mask = no_mask` and a mode other than `vanilla`"
    help "no causal kernel of Transformer Engine takes the layout that MegaDLMs packs into"
    upstream "dlm.packed-causal"

  ## It does something for packed documents alone.
  warn cut_without_packing: data.reset_position_ids and data.reset_attention_mask
    when diffusion.cut_off_varlen_to_seqlen
    else "`cut_off_varlen_to_seqlen` has no effect unless documents are packed"
    help "set `data.reset_position_ids` and `data.reset_attention_mask`, or leave it out"
    upstream "dlm.cut-ignored"
}
