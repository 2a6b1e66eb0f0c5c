/** The formats that come with the gateway, by name: what adapters of providers from outside speak. */
import type { Format } from '../../kernel/contract/format.js'
import type { FormatName } from '../../kernel/contract/names.js'
import chat from '../../plugins/formats/chat/index.js'
import generative from '../../plugins/formats/generative/index.js'
import messages from '../../plugins/formats/messages/index.js'
import responses from '../../plugins/formats/responses/index.js'

const makers: Readonly<Record<FormatName, () => Format>> = { chat, messages, generative, responses }

export function builtInFormat(name: FormatName): Format {
  return makers[name]()
}
