/** What upstreams report of the money that is left with them. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { operatorMessage } from '../../../kernel/toolkit/errors/index.js'
import { failureAnswer, unfit } from './answers.js'
import type { ChannelQueries } from './channel-queries.js'
import type { Row, Rows } from './rows.js'
import { unservedReason } from './unserved.js'

export interface BalanceDependencies extends Pick<Services, 'channels' | 'catalog'> {
  readonly rows: Rows
  readonly queries: ChannelQueries
}

export async function balanceOf(
  { params }: ManagementRequest,
  { rows, queries, catalog, channels }: BalanceDependencies,
): Promise<Answer> {
  const channel = queries.channel(Number(params.id))
  const reported = await queries.balance(channel, await rows.get(channel.id))
  if (reported === undefined) {
    const reason = unservedReason(catalog, channel.type)
    throw unfit(reason ?? 'Channels of this type do not report their balance.')
  }
  if ('failure' in reported) return failureAnswer(reported.failure)
  await channels.edits.saveBalance(channel.id, reported.value)
  const amount = Number(reported.value)
  // Beside the data as well, where the family has it.
  return { answer: true, data: { balance: amount }, beside: { balance: amount } }
}

/** Channels of one key: of several each key has a balance of its own. */
export async function singleKeyRows({
  rows,
  channels,
}: BalanceDependencies): Promise<readonly Row[]> {
  return (await rows.all()).filter(({ id, multi_key_mode: mode }) => {
    return mode === '' && channels.get(id)?.keys.length === 1
  })
}

/** Undefined: it is stored, or the channel reports none; else why it is not known. */
export async function storedBalance(
  row: Row,
  { queries, channels }: BalanceDependencies,
): Promise<string | undefined> {
  const reported = await queries.balance(queries.channel(row.id), row)
  if (reported === undefined) return undefined
  if ('failure' in reported) return operatorMessage(reported.failure)
  await channels.edits.saveBalance(row.id, reported.value)
  return undefined
}
