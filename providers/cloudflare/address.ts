/**
 * Where an account's models are: its id stands in the path, taken from the base URL or from the channel's setting.
 */
import type { ChannelView } from '../../kernel/contract/provider.js'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import { modelSegment, normalBase } from '../../kernel/toolkit/provider/index.js'

/** Everything in front of `/v1`. Throws `channel:address_refused` where no account is named. */
export function accountUrl({ baseUrl, settings }: ChannelView): string {
  const base = normalBase(baseUrl)
  if (isWhole.test(base)) return base
  if (namesAccount.test(base)) return `${base}/ai`
  const account = typeof settings.account === 'string' ? settings.account.trim() : ''
  if (!/^[\w-]+$/.test(account)) throw new Refusal('channel:address_refused')
  return `${base.replace(/\/client\/v4$/, '')}/client/v4/accounts/${account}/ai`
}

/** Where a model runs by its native inputs; the gateway of the same maker names it without `run`. */
export function runUrl(channel: ChannelView, model: string): string {
  const url = accountUrl(channel)
  // Models begin with `@cf`, as the documents write their addresses.
  const path = model.split('/').map(modelSegment).join('/').replaceAll('%40', '@')
  return url.endsWith('/workers-ai') ? `${url}/${path}` : `${url}/run/${path}`
}

/** The address of an account's models, or of a gateway of the same maker in front of them. */
const isWhole = /\/accounts\/[^/]+\/ai$|\/workers-ai$/

const namesAccount = /\/accounts\/[^/]+$/
