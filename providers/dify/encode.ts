/**
 * The canonical call as one message to an app. An app takes a question, not a conversation: earlier turns are
 * written into the question, each turn under the name of its speaker.
 */
import type { Call, Turn } from '../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { agentQuestion } from '../../kernel/toolkit/provider/index.js'
import { fileOf } from './files.js'
import { inputsOf } from './settings.js'

/** The app counts and bills by users; calls that name none are one user. */
const anonymous = 'user'

/** For chatbots, agents and chatflows. */
export function encodeChat({ turns, user, only }: Call): JsonObject {
  const { inputs, conversation_id: conversation } = only?.chat ?? {}
  const isKept = typeof conversation === 'string' && conversation !== ''
  const requested = isKept ? turns.slice(-1) : turns
  const files = filesOf(requested)
  return {
    query: agentQuestion(requested),
    inputs: isObject(inputs) ? inputs : {},
    response_mode: 'streaming',
    user: user || anonymous,
    ...(isKept && { conversation_id: conversation }),
    ...(files.length > 0 && { files }),
    auto_generate_name: false,
  }
}

/** For workflows and text generators, which take nothing but inputs. Files are an input too where the channel names it. */
export function encodeInputs({ turns, user, only }: Call, { settings }: ChannelView): JsonObject {
  const given = only?.chat?.inputs
  const files = filesOf(turns)
  const { question, file, takesOne } = inputsOf(settings)
  if (takesOne && files.length > 1) throw notExpressible('media')
  const isInput = file !== undefined && files.length > 0
  return {
    inputs: {
      ...(isObject(given) && given),
      [question]: agentQuestion(turns),
      ...(isInput && { [file]: takesOne ? files[0]! : files }),
    },
    response_mode: 'streaming',
    user: user || anonymous,
    ...(files.length > 0 && !isInput && { files }),
  }
}

function filesOf(turns: readonly Turn[]): JsonObject[] {
  return turns.flatMap(({ parts }) => parts.flatMap(fileOf))
}
