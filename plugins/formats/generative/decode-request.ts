/**
 * A generative request in canonical form. The model and whether it streams stand in the address; fields the call has no
 * word for stay in `only.generative`, so that the same call encoded again is the same.
 */
import type { Call } from '../../../kernel/contract/call.js'
import type { RequestHints } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { decodeConfig } from './decode-config.js'
import { decodeContents, decodeInstruction } from './decode-contents.js'
import { decodeToolConfig, decodeTools } from './decode-tools.js'
import { present, unlessEmpty } from './fields.js'
import { only } from './leftovers.js'
import { camel } from './names.js'

export function decodeRequest(body: JsonObject, hints?: RequestHints): Call {
  const { contents, systemInstruction, tools, toolConfig, generationConfig, ...more } = camel(body)
  // A body may name the model of its address once more.
  const { model: _, ...rest } = more
  const model = hints?.model ?? ''
  const { left: unread, ...config } = decodeConfig(generationConfig, model)
  const { left: unsaid, ...use } = decodeToolConfig(toolConfig)
  const left = unlessEmpty({ ...rest, ...unread, ...unsaid })
  return present<Call>({
    model,
    turns: [...decodeInstruction(systemInstruction), ...decodeContents(contents)],
    tools: decodeTools(tools),
    ...use,
    stream: hints?.stream === true,
    // A generative stream always reports usage.
    wantsUsage: true,
    ...config,
    ...(left && only(left)),
  })
}
