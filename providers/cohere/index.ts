/** Cohere by its own second API: chat in a form of its own, embeddings and rerank put into the forms clients know. */
import type { Provider } from '../../kernel/contract/provider.js'
import { chat } from './chat/index.js'
import { embeddings } from './embeddings.js'
import { models } from './models.js'
import { rerank } from './rerank.js'

export default function create(): Provider {
  return { operations: { chat, embeddings, rerank }, models }
}
