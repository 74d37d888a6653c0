dlm 1

## How text becomes tokens in the embedded runtime.
enum Tokenizer {
  ## A token is a byte: 0 to 255. The mask token is best 256.
  bytes
}

## How text becomes tokens in MegaDLMs.
enum TokenizerType {
  ## BERT's word pieces, lower case.
  BertWordPieceLowerCase
  ## BERT's word pieces.
  BertWordPieceCase
  ## GPT-2's byte pairs.
  GPT2BPETokenizer
  ## SentencePiece.
  SentencePieceTokenizer
  ## SentencePiece with GPT's special tokens.
  GPTSentencePieceTokenizer
  ## Any tokenizer of the Hugging Face library, by name or folder.
  HuggingFaceTokenizer
  ## SentencePiece with Llama 2's special tokens.
  Llama2Tokenizer
  ## OpenAI's tiktoken.
  TikTokenizer
  ## Text with images. MegaDLMs accepts the word and has no code for it.
  MultimodalTokenizer
  ## None: data are token numbers. Adds one token, for the end of a document.
  NullTokenizer
}

## Token files of one source, and how much of the mixture they are.
schema Dataset {
  ## What the names of the `.bin` and the `.idx` file have in common.
  path: path

  ## Share of the mixture, relative to the other sources.
  weight: float > 0 = 1.0
}

## Where text comes from and how it becomes tokens.
schema Data {
  ## Text of a run in the embedded runtime: a plain file, relative to the folder in which dlm is started.
  text: path?

  ## How that text becomes tokens.
  tokenizer: Tokenizer = bytes

  ## Share of that text, from its end, that is held out for evaluation.
  held_out: fraction > 0 < 1 = 5%

  ## Sources of the training set, by name: `train "books" { path = …; weight = 2 }`.
  train: map<string, Dataset>

  ## Sources of the validation set.
  valid: map<string, Dataset>

  ## Sources of the test set.
  test: map<string, Dataset>

  ## Token files of the training set: prefixes, or weights and prefixes in turn.
  train_data_path: list<string>? = if len(train) > 0 then interleave(train.*.weight, train.*.path) else none
    flag "--train-data-path"

  ## Token files of the validation set.
  valid_data_path: list<string>? = if len(valid) > 0 then interleave(valid.*.weight, valid.*.path) else none
    flag "--valid-data-path"

  ## Token files of the test set.
  test_data_path: list<string>? = if len(test) > 0 then interleave(test.*.weight, test.*.path) else none
    flag "--test-data-path"

  ## Token files that are split into the three sets.
  data_path: list<string>?   flag "--data-path"

  ## Shares of training, validation and test set in `data_path`: `"969, 30, 1"`.
  split: string?   flag "--split"

  ## Folder for the index that the loader builds.
  data_cache_path: path?   flag "--data-cache-path"

  ## Made-up tokens instead of text, to try a setup.
  mock_data: bool = false   flag "--mock-data"

  ## Processes of the loader, per rank.
  num_workers: int >= 0 = 2   flag "--num-workers"

  ## Count positions from the start of each document.
  reset_position_ids: bool = false   flag "--reset-position-ids"

  ## Let no document see another. Together with `reset_position_ids`: pack documents.
  reset_attention_mask: bool = false   flag "--reset-attention-mask"

  ## Leave ends of documents out of the loss.
  eod_mask_loss: bool = false   flag "--eod-mask-loss"

  ## How text becomes tokens in MegaDLMs. `HuggingFaceTokenizer` if absent.
  tokenizer_type: TokenizerType?   flag "--tokenizer-type"

  ## The tokenizer: a name, a file or a folder, as its type wants it.
  tokenizer_model: path?   flag "--tokenizer-model"

  ## Vocabulary of a BERT or GPT-2 tokenizer.
  vocab_file: path?   flag "--vocab-file"

  ## Merges of a GPT-2 tokenizer.
  merge_file: path?   flag "--merge-file"

  ## A run needs something to read.
  check data_has_a_source: text is set or mock_data or data_path is set or train_data_path is set or
      valid_data_path is set or test_data_path is set
    else "nothing says where training text comes from"
    help "set `train_data_path` for MegaDLMs, `text` for the embedded runtime, or `mock_data = true` to try a setup"
    upstream "data.none-without-mock"

  ## A list that is set by hand hides the named sources.
  check train_data_said_once: train_data_path == interleave(train.*.weight, train.*.path)
    when len(train) > 0
    else "`train_data_path` is set, so the sources {keys(train)} of `train` are not read"
    help "name all sources in `train`, or write none of them there"

  ## The same for the validation set.
  check valid_data_said_once: valid_data_path == interleave(valid.*.weight, valid.*.path)
    when len(valid) > 0
    else "`valid_data_path` is set, so the sources {keys(valid)} of `valid` are not read"
    help "name all sources in `valid`, or write none of them there"

  ## The same for the test set.
  check test_data_said_once: test_data_path == interleave(test.*.weight, test.*.path)
    when len(test) > 0
    else "`test_data_path` is set, so the sources {keys(test)} of `test` are not read"
    help "name all sources in `test`, or write none of them there"

  ## Sources of MegaDLMs exclude each other.
  check mock_or_real_data: data_path is unset and train_data_path is unset and valid_data_path is unset and
      test_data_path is unset
    when mock_data
    else "`mock_data` is on, and there are token files too"
    help "MegaDLMs takes one source; switch `mock_data` off"
    fix mock_data = false
    upstream "data.one-source"

  ## One list that is split, or a list for each set.
  check split_or_separate_data: train_data_path is unset and valid_data_path is unset and test_data_path is unset
    when data_path is set and not mock_data
    else "`data_path` is to be split into three sets, but a set has token files of its own"
    help "use `data_path` with `split`, or `train_data_path`, `valid_data_path` and `test_data_path`"
    upstream "data.one-source"

  ## Sets with token files of their own are not split.
  check separate_data_is_not_split: split is unset
    when data_path is unset and (train_data_path is set or valid_data_path is set or test_data_path is set)
    else "`split` ({split}) does not apply where each set has token files of its own"
    help "leave `split` out"
    upstream "data.split-xor-per-split"

  ## The Hugging Face library needs a name or a folder.
  check tokenizer_needs_model: tokenizer_model is set
    when tokenizer_type == HuggingFaceTokenizer or tokenizer_type is unset and text is unset
    else "the Hugging Face tokenizer needs `tokenizer_model`, its name or folder"
    help "set `tokenizer_model`, or `tokenizer_type` for another tokenizer"
    upstream "tok.hf-model"

  ## SentencePiece and its kin need their model file.
  check sentencepiece_needs_model: tokenizer_model is set
    when tokenizer_type in [SentencePieceTokenizer, GPTSentencePieceTokenizer, Llama2Tokenizer, TikTokenizer]
    else "`{tokenizer_type}` needs `tokenizer_model`, its model file"
    help "set `tokenizer_model` to the file"
    upstream "tok.SentencePieceTokenizer"

  ## GPT-2's tokenizer is two files.
  check gpt2_tokenizer_needs_files: vocab_file is set and merge_file is set
    when tokenizer_type == GPT2BPETokenizer
    else "`GPT2BPETokenizer` needs `vocab_file` and `merge_file`"
    help "set both; the second comes with the first"
    upstream "tok.gpt2-vocab"

  ## BERT's tokenizer is a file.
  check bert_tokenizer_needs_file: vocab_file is set
    when tokenizer_type in [BertWordPieceLowerCase, BertWordPieceCase]
    else "`{tokenizer_type}` needs `vocab_file`"
    help "set it to the file of word pieces"
    upstream "tok.BertWordPieceLowerCase"

  ## The word is in the list of MegaDLMs, its code is not.
  check tokenizer_has_code: tokenizer_type != MultimodalTokenizer
    else "MegaDLMs accepts `MultimodalTokenizer` and then stops: a flag that it reads does not exist"
    help "choose another `tokenizer_type`"
    upstream "tok.multimodal-attr"

  ## Only both switches together pack documents.
  warn packing_needs_both: reset_position_ids == reset_attention_mask
    else "documents are packed only where both `reset_position_ids` and `reset_attention_mask` are on"
    help "set both, or neither"
}
