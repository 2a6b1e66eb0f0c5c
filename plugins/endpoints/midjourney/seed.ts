/** `GET /mj/task/{id}/image-seed`: the number a picture grew from, which the upstream is asked for with the channel's key. */
import type { EndpointAnswer } from '../../../kernel/contract/endpoint.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { parsedObject } from '../../../kernel/toolkit/json/index.js'
import { numberAt, textAt } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord, TaskResults } from '../../services/tasks/index.js'

const seedBytesMax = 65_536

export async function seedOf(
  { taskId, results }: TaskRecord,
  { content }: Pick<TaskResults, 'content'>,
): Promise<EndpointAnswer> {
  const missing = new Refusal('task_result_missing', { task: taskId })
  const seed = results.find(({ meta }) => meta?.name === 'seed')
  if (seed === undefined) throw missing
  const { status, body } = await content(taskId, seed.index, {})
  if (status !== 200) {
    body.abort()
    throw missing
  }
  const answer = parsedObject((await readAll(body, seedBytesMax)).toString('utf8')) ?? {}
  const result = textAt(answer, 'result')
  if (numberAt(answer, 'code') !== 1 || result === undefined) throw missing
  return { status: 200, body: { code: 1, description: 'Success', properties: {}, result } }
}
