/** InvokeModel of operations besides chat: the body as it was made, the answer in one piece. */
import type { AdapterBase } from '../../kernel/contract/provider.js'
import { callOf } from './call.js'

export const invoke: AdapterBase['address'] = (wire, channel, credentials, context) => {
  const body = JSON.stringify(wire.kind === 'json' ? wire.value : {})
  return callOf({ verb: 'invoke', body }, channel, credentials, context)
}
