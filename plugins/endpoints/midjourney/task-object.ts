/** A task in the protocol's words, under the id the client knows. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectsOf } from '../../../kernel/toolkit/json/index.js'
import { listAt, textAt } from '../../../kernel/toolkit/task/index.js'
import type { TaskRecord } from '../../services/tasks/index.js'

/** The address of the picture a client is shown; undefined: there is none. */
export type PictureOf = (record: TaskRecord) => string | undefined

export function taskObject(record: TaskRecord, pictureOf: PictureOf): JsonObject {
  const { request, results, state } = record
  const raw = reportedOf(record)
  const clips = results.flatMap(({ type, url }) => (type === 'video' && url ? [{ url }] : []))
  return {
    id: record.taskId,
    action: textAt(raw, 'action') ?? actionOf(record.model),
    customId: textAt(request, 'customId') ?? '',
    botType: textAt(raw, 'botType') ?? textAt(request, 'botType') ?? '',
    prompt: textAt(raw, 'prompt') ?? textAt(request, 'prompt') ?? '',
    promptEn: textAt(raw, 'promptEn') ?? '',
    description: textAt(raw, 'description') ?? '',
    state: textAt(request, 'state') ?? '',
    submitTime: record.createdAt,
    startTime: record.startedAt,
    finishTime: record.finishedAt,
    imageUrl: pictureOf(record) ?? '',
    videoUrl: clips[0]?.url ?? '',
    videoUrls: clips,
    status: statusOf(record),
    progress: `${state === 'succeeded' ? 100 : record.percent}%`,
    failReason: state === 'failed' ? record.reason : '',
    buttons: objectsOf(listAt(raw, 'buttons')),
    maskBase64: '',
    properties: {
      finalPrompt: textAt(raw, 'properties.finalPrompt') ?? '',
      finalZhPrompt: textAt(raw, 'properties.finalZhPrompt') ?? '',
    },
  }
}

/** Until its first report there is only the answer to the submission, which has a code and names no task of the client's. */
function reportedOf({ raw }: TaskRecord): JsonObject {
  return raw.code === undefined ? raw : {}
}

/** `mj_low_variation` is LOW_VARIATION. */
function actionOf(model: string): string {
  return model.replace(/^mj_/, '').toUpperCase()
}

const underWay: ReadonlySet<string> = new Set(['NOT_START', 'SUBMITTED', 'MODAL', 'IN_PROGRESS'])

/** The upstream's word where it has not ended; how it ended is for the gateway to state. */
function statusOf({ state, word }: TaskRecord): string {
  if (state === 'succeeded') return 'SUCCESS'
  if (state === 'failed') return word === 'CANCEL' ? word : 'FAILURE'
  if (underWay.has(word)) return word
  if (state === 'submitting') return 'NOT_START'
  return state === 'queued' ? 'SUBMITTED' : 'IN_PROGRESS'
}
