/**
 * AWS Bedrock: Claude in its own format, OpenAI's models in theirs, every other model by the Converse API; vectors, pictures
 * and rankings by InvokeModel. Calls are signed, or carry an API key.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Provider } from '../../kernel/contract/provider.js'
import { count } from './claude/count.js'
import { claude } from './claude/index.js'
import { converse } from './converse/index.js'
import { embeddings } from './embeddings/index.js'
import { edits } from './images/edits.js'
import { images } from './images/index.js'
import { isRegion } from './key.js'
import { arnModelsFault } from './model.js'
import { models } from './models.js'
import { amazonRerank } from './rerank/amazon.js'
import { cohereRerank } from './rerank/cohere.js'
import { responses } from './responses/index.js'

export default function create(): Provider {
  return {
    operations: {
      chat: [claude, ...converse, responses],
      count,
      embeddings,
      images,
      edits,
      rerank: [cohereRerank, amazonRerank],
    },
    models,
    faultOf,
  }
}

function faultOf(settings: JsonObject): string | undefined {
  const { region } = settings
  if (region === undefined || isRegion(region)) return arnModelsFault(settings)
  return 'The region is not one such as "us-east-1".'
}
