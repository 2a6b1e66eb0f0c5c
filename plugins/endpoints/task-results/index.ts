/**
 * `GET /v1/tasks/{task}/results/{index}`: the bytes of a result, for the owner of its task by key, or for whoever has its signed
 * address (API-6).
 */
import type { Endpoint, EndpointStream, Inbound } from '../../../kernel/contract/endpoint.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { bearerCredential } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export default function create({ services }: Kit<'identity' | 'tasks'>): Endpoint {
  const { identity, tasks } = services

  async function ownerByKey({ client }: Inbound): Promise<number> {
    const credential = bearerCredential(client.headers)
    if (credential.kind !== 'key') throw new Refusal('missing_credential')
    const { user } = await identity.byKey(credential.key, client.address)
    return user.id
  }

  /** An address is as good as its signature, and no longer than its user has the task. */
  async function checkSigned({ client }: Inbound, taskId: string, index: number): Promise<void> {
    const { userId } = tasks.signed.check(taskId, index, statedIn(client.query))
    await tasks.find(userId, taskId).catch((error: unknown) => {
      const isGone = error instanceof Refusal && error.code === 'task_not_found'
      throw isGone ? new Refusal('signature_invalid', {}, { cause: error }) : error
    })
  }

  async function open(inbound: Inbound): Promise<EndpointStream> {
    const { params, client } = inbound
    const taskId = params.task ?? ''
    const isSigned = signedWords.some((word) => client.query[word] !== undefined)
    const index = indexIn(params.index ?? '')
    if (isSigned) await checkSigned(inbound, taskId, index ?? -1)
    else await tasks.find(await ownerByKey(inbound), taskId)
    if (index === undefined) throw new Refusal('task_result_missing', { task: taskId })
    const { range } = client.headers
    return tasks.content(taskId, index, range === undefined ? {} : { range })
  }

  return { routes: { read: { kind: 'stream', open } } }
}

/** One of them makes an address a signed one, which is then judged by its signature alone. */
const signedWords = ['signature', 'uid', 'expires'] as const

function indexIn(text: string): number | undefined {
  return /^(?:0|[1-9]\d{0,3})$/.test(text) ? Number(text) : undefined
}

function statedIn(query: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const stated: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) if (value !== undefined) stated[name] = value
  return stated
}
