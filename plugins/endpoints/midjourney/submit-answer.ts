/** The answer to a submission in the protocol's words: what the upstream stated, under the id the client knows. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { textAt } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'

/** What of the upstream's facts is the client's; others are of accounts and places of the operator. */
const shownFacts = ['promptEn', 'finalPrompt', 'finalZhPrompt', 'bannedWord', 'remix'] as const

export function submitAnswer({ taskId, raw }: Pick<TaskRecord, 'taskId' | 'raw'>): JsonObject {
  const { code, result, properties } = raw
  const description = textAt(raw, 'description') ?? 'Submit success'
  const ref = textAt(raw, 'result')
  return {
    code: code === 21 || code === 22 ? code : 1,
    description: ref === undefined ? description : description.replaceAll(ref, taskId),
    properties: isObject(properties) ? factsOf(properties) : {},
    // Pictures that were uploaded have addresses at once, and no task a client would fetch.
    result: Array.isArray(result) ? result.filter((url) => typeof url === 'string') : taskId,
  }
}

function factsOf(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    shownFacts.flatMap((name) =>
      properties[name] === undefined ? [] : [[name, properties[name]]],
    ),
  )
}
