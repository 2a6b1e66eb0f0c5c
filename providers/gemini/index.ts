/**
 * Google's Gemini: its own format for chat, and embeddings, images, speech and transcripts put into the
 * forms clients know.
 */
import type { PureKit } from '../../kernel/contract/kit.js'
import type { Provider } from '../../kernel/contract/provider.js'
import { chatAdapter } from './chat.js'
import { count } from './count.js'
import { embeddings } from './embeddings.js'
import { editAdapter, imageAdapter } from './images.js'
import { realtime } from './live/index.js'
import { models } from './models.js'
import { safetyOf } from './safety.js'
import { speech } from './speech.js'
import { transcriptAdapter } from './transcripts.js'

export default function create({ settings }: PureKit): Provider {
  const safety = safetyOf(settings)
  return {
    operations: {
      chat: chatAdapter(settings, safety),
      count,
      embeddings,
      images: imageAdapter(safety),
      edits: editAdapter(safety),
      speech,
      realtime,
      transcriptions: transcriptAdapter(settings, safety),
    },
    models,
  }
}
