/** The keys of channels: those of a channel with several, one by one, and the whole key for root's own eyes. */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { channelId, type KeyForm, keyForm } from './forms.js'
import { type KeyRow, keyListing } from './listing.js'
import { keysOrCount, revealed } from './responses.js'

const keysMax = 10_000

export default function create({
  services,
}: Kit<'database' | 'channels' | 'secrets' | 'verification'>): Management {
  const { database, channels, secrets, verification } = services
  const { knex } = database

  async function manage(request: ManagementRequest<unknown, KeyForm>) {
    const { body } = request
    if (body.action !== 'get_key_status')
      return channels.edits.changeKeys(body, request.principal?.username ?? '')
    several(await knex('channels').where('id', body.channel_id).first('multi_key_mode'))
    return keyListing(knex, body, opener(body.channel_id))
  }

  async function reveal(request: ManagementRequest): Promise<Answer> {
    verification.session(request)
    const id = Number(request.params.id)
    const channel = await knex('channels').where({ id }).first('id')
    if (channel === undefined) throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
    await verification.require(request, 'channel_key')
    const rows = await knex('channel_keys')
      .where('channel_id', id)
      .orderBy('id')
      .limit(keysMax)
      .select<KeyRow[]>('sealed')
    const key = rows.map((row) => opener(id)(row.sealed)).join('\n')
    return {
      answer: true,
      data: { key },
      headers: { 'cache-control': 'no-store' },
      audit: { object: `channel ${id}` },
    }
  }

  function opener(channel: number): (sealed: string) => string {
    return (sealed) => secrets.open(`channels:${channel}:key`, sealed)
  }

  return {
    routes: {
      manage: {
        body: keyForm,
        response: keysOrCount,
        writesSecrets: ({ action }: KeyForm) => action !== 'get_key_status',
        handle: manage,
      },
      reveal: { params: channelId, response: revealed, handle: reveal },
    },
  }
}

/** Throws where there is no such channel, or it has one key only. */
function several(channel: { readonly multi_key_mode: string } | undefined): void {
  if (channel === undefined) {
    throw new Refusal('gone_missing', { what: 'channel', param: 'channel_id' })
  }
  if (channel.multi_key_mode !== '') return
  const reason = 'This channel does not have several keys.'
  throw new Refusal('invalid_field', { reason, param: 'channel_id' })
}
