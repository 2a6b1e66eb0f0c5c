/** Vertex AI: every maker's models in the maker's own format, by project and region, with a token of a service account. */
import type { Provider } from '../../kernel/contract/provider.js'
import { authorize } from './authorize.js'
import { claude } from './claude.js'
import { count } from './count.js'
import { drawing, edits } from './drawing.js'
import { embeddings } from './embeddings.js'
import { gemini } from './gemini.js'
import { imagen } from './images.js'
import { models } from './models.js'
import { mistral, openModels } from './open-models.js'
import { faultOf } from './region.js'
import { speech } from './speech.js'
import { transcriptions } from './transcripts.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [gemini, claude, openModels, mistral],
      count,
      embeddings,
      images: [imagen, drawing],
      edits,
      speech,
      transcriptions,
    },
    models,
    authorize,
    faultOf,
  }
}
