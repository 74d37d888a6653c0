#! --target megadlms
#! -- --model-type difflm --model-running-mode difflm-noshift --base-model Qwen_2 --attention-mask-type no_maks
#! -- --use-difflm-validation --micro-batch-size 4 --global-batch-size 64 --seq-length 4096 --data-path /data
#! -- --tokenizer-model some/tokenizer
#! in flags after -- "--model-type" error[resolve::unknown_flag]
#! in flags after -- "Qwen_2" error[check::base_model_exists] `diffusion.base_model` is Qwen_2, set by the command line
#! in flags after -- "no_maks" error[resolve::flag_value]
#! in flags after -- "--use-difflm-validation" error[resolve::unknown_flag]
#! in flags after -- "" error[check::missing_field] to be added behind this
