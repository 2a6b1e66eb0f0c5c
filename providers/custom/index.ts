/** An upstream of the chat format whose whole address the operator gives. */
import type { FormatAdapter, Provider } from '../../kernel/contract/provider.js'
import { Refusal, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { bearerRequest, modelSegment } from '../../kernel/toolkit/provider/index.js'

export default function create(): Provider {
  return { operations: { chat } }
}

const chat: FormatAdapter = {
  format: 'chat',
  // Nothing is known of the server behind the address, and every one knows `system`.
  knowsDeveloper: ({ settings }) => settings.developer_role === 'keep',
  address: (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(fullUrl(baseUrl, context.model), credentials, context),
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

const placeholder = '{model}'

/** The address as it is written, with the model in its placeholder. */
function fullUrl(written: string, model: string): string {
  const url = written.includes(placeholder)
    ? written.replaceAll(placeholder, () => modelSegment(model))
    : written
  if (!URL.canParse(url)) throw new Refusal('channel:address_refused')
  const { protocol, hash, username, password } = new URL(url)
  if (!/^https?:$/.test(protocol) || hash + username + password !== '') {
    throw new Refusal('channel:address_refused')
  }
  return url
}
