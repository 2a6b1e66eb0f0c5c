/** What the server says of a model it cannot run now, whatever the status. */
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

interface ModelTrouble extends Fact {
  readonly words: RegExp
  /** For the operator. */
  readonly meaning: string
}

export const modelTroubles: readonly ModelTrouble[] = [
  {
    words: /try pulling it first|^model ['"][^'"]*['"] not found/i,
    meaning: 'The server has not pulled this model, or is still pulling it.',
    source:
      'docs.ollama.com/api/errors; github.com/netease-youdao/QAnything/issues/555 (the words)',
    read: '2026-11-27',
  },
  {
    words: /loading model/i,
    meaning: 'The server is still loading this model.',
    source: 'github.com/IceWhaleTech/ZimaOS/issues/466',
    read: '2026-11-27',
  },
  {
    words: /requires more system memory/i,
    meaning: 'The server has too little memory for this model.',
    source: 'github.com/ollama/ollama/issues/13556',
    read: '2026-11-27',
  },
]
