"""Puts all-MiniLM-L6-v2 into a folder that sentence-transformers reads.

    peer_model.py MODEL-FOLDER NEW-FOLDER

MODEL-FOLDER holds model.safetensors and vocab.txt, as setup fetches them; the rest says how the model
is built (Wang et al., 2020: six layers of BERT, 384 wide) and that its tokens' mean is the sentence.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

CONFIGURATION = {
    "config.json": {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_size": 384,
        "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536,
        "hidden_act": "gelu", "max_position_embeddings": 512, "type_vocab_size": 2,
        "vocab_size": 30522, "layer_norm_eps": 1e-12, "pad_token_id": 0,
    },
    "tokenizer_config.json": {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 256,
    },
    "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
    "modules.json": [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize",
         "type": "sentence_transformers.models.Normalize"},
    ],
    "1_Pooling/config.json": {
        "word_embedding_dimension": 384, "pooling_mode_cls_token": False,
        "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False,
    },
}  # fmt: skip


def main() -> None:
    source, target = map(Path, sys.argv[1:3])
    shutil.rmtree(target, ignore_errors=True)
    (target / "2_Normalize").mkdir(parents=True)
    for name, content in CONFIGURATION.items():
        file = target / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(content, indent=1))
    for name in ("model.safetensors", "vocab.txt"):
        (target / name).symlink_to((source / name).resolve())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
