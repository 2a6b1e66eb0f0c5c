/** One call about tasks to the upstream that has them: with the channel and key they were submitted with, through egress. */
import type { ByteRoom } from '../../../kernel/contract/bytes.js'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { Adapter, Credentials, UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Cancel, Egress } from '../../../kernel/contract/services/egress.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { Refusal, timedOut } from '../../../kernel/toolkit/errors/index.js'
import { readReplyAhead } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'
import type { Channels } from '../channels/index.js'
import type { ChannelCredentials } from '../credentials/index.js'
import type { TaskRow } from './rows.js'

export interface AskingDependencies {
  readonly channels: Pick<Channels, 'get'>
  readonly providers: Providers
  readonly credentials: ChannelCredentials
  readonly egress: Egress
  readonly clock: Clock
}

/** Who has a task. */
export interface Owner {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly adapter: Adapter
}

/** `gone`: nobody can be asked for it ever again. `away`: not now. */
export type Found = Owner | 'gone' | 'away'

type Located = Pick<TaskRow, 'channel_id' | 'key_id' | 'operation' | 'upstream_model' | 'platform'>

/** A hanging upstream is given up after this. */
const silenceMs = 20_000
/** The whole call; less than the lease of the tasks it is about. */
const wholeMs = 60_000

export interface Asking {
  owner(row: Located): Promise<Found>
  /** The answer is held in the room. Rejects with a `Refusal` or an `EgressError`. */
  call(
    owner: Owner,
    room: ByteRoom,
    make: (credentials: Credentials, now: number) => UpstreamRequest,
  ): Promise<WholeAnswer>
}

export function createAsking(dependencies: AskingDependencies): Asking {
  const { channels, providers, credentials, egress, clock } = dependencies

  async function owner(row: Located): Promise<Found> {
    const channel = channels.get(row.channel_id)
    if (channel === undefined) return 'gone'
    // Its own key; where that is gone another of the same account may know the task as well.
    const key =
      channel.keys.find(({ id }) => id === row.key_id) ??
      channel.keys.find(({ enabled }) => enabled)
    if (key === undefined) return 'away'
    await providers.warm(channel.type)
    const query = { operation: row.operation, format: 'chat', model: row.upstream_model } as const
    const adapter = providers.adapter(channel, query)
    if (adapter?.poll === undefined) return 'away'
    return { channel, key, adapter }
  }

  return {
    owner,
    call: (owner, room, make) => timed(clock, (cancel) => called(owner, make, { cancel, room })),
  }

  async function called(
    { channel, key, adapter }: Owner,
    make: Parameters<Asking['call']>[2],
    { cancel, room }: { readonly cancel: Cancel; readonly room: ByteRoom },
  ): Promise<WholeAnswer> {
    const found = await credentials.of(channel, key.text)
    if ('failure' in found) throw new Refusal('upstream_error', { reason: found.failure.message })
    const { method, url, headers, body } = make(found, clock.now())
    if (
      !mayReach(
        url,
        channel.baseUrl,
        providers.hosts(channel.type, adapter.issuer),
        channel.settings,
      )
    ) {
      throw new Refusal('channel:address_refused')
    }
    const reply = await egress.open({
      ...{ method, url, headers, body, namedBy: 'admin', proxy: channel.proxy },
      ...{ headersTimeoutMs: silenceMs, idleTimeoutMs: silenceMs, cancel },
    })
    cancel.abort = () => reply.body.abort()
    if (reply.status === 401 || reply.status === 403) credentials.forget(channel, key.text)
    const bytes = await readAll(reply.body, limits.replyBytesMax, room)
    // Clips may be in it: an adapter that is to read them at once would stop everybody else.
    if (!(await readReplyAhead(bytes, room))) throw new Refusal('upstream_too_large')
    return { status: reply.status, headers: reply.headers, body: bytes }
  }
}

/** An answer that trickles in for ever is none. */
async function timed<T>(clock: Clock, run: (cancel: Cancel) => Promise<T>): Promise<T> {
  const cancel: Cancel = {}
  let enough = () => {}
  const late = new Promise<never>((_, reject) => {
    enough = clock.after(wholeMs, () => {
      cancel.abort?.()
      reject(timedOut())
    })
  })
  try {
    return await Promise.race([run(cancel), late])
  } finally {
    enough()
  }
}
