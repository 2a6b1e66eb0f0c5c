/** The bytes of a result, wherever they are: in the row of its task, at a public address, or behind the key of its channel. */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { Adapter } from '../../../kernel/contract/provider.js'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import type { Providers } from '../../../kernel/contract/services/providers.js'
import type { TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { mayReach } from '../../../kernel/toolkit/service/index.js'
import type { Channels } from '../channels/index.js'
import type { ChannelCredentials } from '../credentials/index.js'
import { dataContent } from './data-content.js'
import { fetchedContent, publicSource, type Source, webAddress } from './fetched-content.js'
import type { Content, ContentRequest } from './tasks.js'

export interface ContentDependencies {
  readonly egress: Egress
  readonly channels: Pick<Channels, 'get'>
  readonly providers: Pick<Providers, 'adapter' | 'hosts' | 'warm'>
  readonly credentials: ChannelCredentials
  readonly clock: Pick<Clock, 'now'>
}

/** A task as it lies with its upstream. */
interface PlacedTask {
  readonly taskId: string
  readonly operation: OperationName
  readonly channelId: number
  readonly keyId: number
  readonly ref: TaskRef
}

/** Rejects with a `Refusal`: `task_result_missing` where there is nothing, or no longer. */
export type ReadContent = (
  task: PlacedTask,
  result: TaskResult,
  request: ContentRequest,
) => Promise<Content>

/** What a file of a task may be beside a medium. */
const textTypes: ReadonlySet<string> = new Set(['application/json', 'text/plain'])

export function createContent(dependencies: ContentDependencies): ReadContent {
  const { egress, credentials } = dependencies

  async function keyed(
    task: PlacedTask,
    result: TaskResult,
    request: ContentRequest,
  ): Promise<Content> {
    const owner = await ownerOf(task, dependencies)
    const { channel, key } = owner
    const source = await keyedSource(task, result, owner, dependencies)
    return fetchedContent(egress, source, {
      ...request,
      task: task.taskId,
      ...(result.type === 'file' && { plain: textTypes }),
      keyRefused: () => credentials.forget(channel, key.text),
    })
  }

  return async (task, result, request) => {
    const { keyed: needsKey, data, url } = result
    if (needsKey === true) return keyed(task, result, request)
    const { taskId } = task
    const inline = data ?? (url?.startsWith('data:') === true ? url : undefined)
    if (inline !== undefined) return dataContent(taskId, inline, request)
    const address = url === undefined ? undefined : webAddress(url)
    if (address === undefined) throw new Refusal('task_result_missing', { task: taskId })
    return fetchedContent(egress, sourceAt(address, task, dependencies), {
      ...request,
      task: taskId,
    })
  }
}

/** At the address of its channel, which an admin named, it may be private; no key goes there all the same. */
function sourceAt(
  address: string,
  { channelId }: PlacedTask,
  { channels }: ContentDependencies,
): Source {
  const channel = channels.get(channelId)
  const source = publicSource(address)
  if (channel === undefined || !URL.canParse(channel.baseUrl)) return source
  const isOwn = new URL(address).origin === new URL(channel.baseUrl).origin
  return isOwn ? { ...source, namedBy: 'admin', proxy: channel.proxy } : source
}

interface Owner {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly adapter: Adapter
}

/** Its own channel and key; where the key is gone another of the same account may have the task as well. */
async function ownerOf(
  { taskId, operation, channelId, keyId, ref }: PlacedTask,
  { channels, providers }: ContentDependencies,
): Promise<Owner> {
  const channel = channels.get(channelId)
  const key =
    channel?.keys.find(({ id }) => id === keyId) ?? channel?.keys.find(({ enabled }) => enabled)
  if (channel === undefined || key === undefined) {
    throw new Refusal('task_result_missing', { task: taskId })
  }
  await providers.warm(channel.type)
  const adapter = providers.adapter(channel, { operation, format: 'chat', model: ref.model })
  if (adapter?.content === undefined) throw new Refusal('task_result_missing', { task: taskId })
  return { channel, key, adapter }
}

async function keyedSource(
  { ref }: PlacedTask,
  result: TaskResult,
  { channel, key, adapter }: Owner,
  { credentials, providers, clock }: ContentDependencies,
): Promise<Source> {
  const found = await credentials.of(channel, key.text)
  if ('failure' in found) throw new Refusal('upstream_error', { reason: found.failure.message })
  const request = adapter.content!(ref, result, channel, found, { now: clock.now() })
  if (
    !mayReach(
      request.url,
      channel.baseUrl,
      providers.hosts(channel.type, adapter.issuer),
      channel.settings,
    )
  ) {
    throw new Refusal('channel:address_refused')
  }
  return { ...request, namedBy: 'admin', proxy: channel.proxy }
}
