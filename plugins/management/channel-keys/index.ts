/** The keys of channels: those of a channel with several, one by one, and the whole key for root's own eyes. */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { channelId, type KeyForm, keyForm } from './forms.js'
import { keyListing } from './listing.js'
import { keysOrCount, revealed } from './responses.js'

export default function create({
  services,
}: Kit<'database' | 'channels' | 'secrets' | 'verification'>): Management {
  const { database, channels, secrets, verification } = services
  const { knex } = database

  async function manage(request: ManagementRequest<unknown, KeyForm>): Promise<unknown> {
    const { body } = request
    if (body.action !== 'get_key_status') {
      const data = await channels.edits.changeKeys(body, request.principal?.username ?? '')
      return {
        answer: true as const,
        data,
        audit: { object: `channel ${body.channel_id}`, detail: body.action },
      }
    }
    await channels.edits.requireMultiKey(body.channel_id)
    const data = await keyListing(knex, body, opener(body.channel_id))
    return { answer: true, data, audit: { onlyRead: true } }
  }

  async function reveal(request: ManagementRequest): Promise<Answer> {
    verification.session(request)
    const id = Number(request.params.id)
    const channel = await knex('channels').where({ id }).first('id')
    if (channel === undefined) throw new Refusal('gone_missing', { what: 'channel', param: 'id' })
    await verification.require(request, 'channel_key')
    const key = (await channels.edits.sealedKeys(id)).map(opener(id)).join('\n')
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
