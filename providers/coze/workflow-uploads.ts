/** For workflows: files stand in the parameter the channel names, each as a text of its own that names its id. */
import { isObject, type Json } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { changed } from '../../kernel/toolkit/body/index.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { limits } from '../../kernel/toolkit/limits/index.js'
import { isWaiting, uploadedIds } from './uploads.js'
import { workflowSettings } from './workflow-settings.js'

export const prepareWorkflow: Adapter['prepare'] = async (wire, channel, credentials, context) => {
  const { file } = workflowSettings(channel.settings)
  if (wire.kind !== 'json' || file === undefined || !isObject(wire.value.parameters)) return wire
  const { parameters } = wire.value
  const given = parameters[file]
  const waiting = [given].flat().filter(isWaiting)
  if (waiting.length === 0) return wire
  // The files of the call itself were counted before; these stand in parameters the client wrote.
  if (waiting.length > limits.prepareCallsMax) throw notExpressible('parameters')
  const { baseUrl } = channel
  const known = await uploadedIds(waiting, { baseUrl, credentials, fetch: context.fetch })
  if ('failure' in known) return known
  const sent = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(sent)
    return isWaiting(value) ? JSON.stringify({ file_id: known.get(value)! }) : value
  }
  return changed(wire, { ...wire.value, parameters: { ...parameters, [file]: sent(given!) } })
}
