/** What the area of traces returns. */
import joi from 'joi'
import { responseForm, unixSeconds } from '../../../../kernel/toolkit/management/index.js'
import type {
  KeptBody,
  KeptCall,
  KeptReply,
  KeptRequest,
} from '../../../services/recordings/index.js'
import { logRow } from '../responses.js'
import type { Attempt } from './attempts.js'
import { type Stage, stageNames } from './stages.js'

const text = joi.string().allow('')
const ms = joi.number().integer().min(0)
const id = joi.number().integer().min(0)

const stage = responseForm<Stage>({
  stage: joi
    .string()
    .valid(...stageNames)
    .description(
      'body: it was read. auth: its caller was looked up. plan: its way was planned. reserve: a channel was picked and the cost set aside. connect: until the call was under way. wait: until the head of the reply. content: until its first content, or its failure. upstream: all tries together. delivery: until the end of the answer.',
    ),
  attempt: id.description('Which try it belongs to, from 1. 0: to none.'),
  from: ms.description('Milliseconds since the request arrived.'),
  to: ms,
}).id('TraceStage')

const attempt = responseForm<Attempt>({
  attempt: id,
  channel: id,
  channel_name: text,
  group: text,
  key_index: id.description('Its place among the keys of the channel, from 1. 0: unknown.'),
  key_tail: text.description(
    'The last four characters of the key. Empty: unknown, or it is too short.',
  ),
  status: id.description('HTTP status of the upstream. 0: none came.'),
  code: text.description('Error code. Empty: it was answered.'),
  said: text.description('What the upstream said, without secrets and cut.'),
  upstream_request_id: text,
  from: ms.description('Milliseconds since the request arrived.'),
  to: ms,
}).id('TraceAttempt')

const recorded = joi
  .string()
  .valid('', 'headers', 'bodies')
  .description('What was recorded of it. Empty: nothing, or it was deleted since.')

const ownFields = {
  request_id: text,
  duration_ms: ms,
  row: logRow,
  others: joi.array().items(logRow).description('Further rows of it, as refunds; oldest first.'),
  stages: joi
    .array()
    .items(stage)
    .description('In order. Empty: it was logged before times were kept.'),
  recorded,
}

export const ownTrace = joi.object(ownFields).id('OwnTrace')
export const trace = joi
  .object({ ...ownFields, attempts: joi.array().items(attempt).description('In order.') })
  .id('Trace')

const body = responseForm<KeptBody>({
  kind: joi
    .string()
    .valid('none', 'text', 'form', 'binary')
    .description('form, binary: only its size was kept.'),
  text: text.description('Without secrets; media in base64 give way to their size.'),
  bytes: id.description('Of the whole.'),
  cut: joi.boolean().description('`text` is its beginning.'),
}).id('RecordedBody')
const headers = joi
  .array()
  .items(joi.array().ordered(joi.string(), text).length(2))
  .description('Names and values; what is secret is masked.')
const requestForm = responseForm<KeptRequest>({
  method: joi.string(),
  address: text,
  headers,
  body,
}).id('RecordedRequest')
const reply = responseForm<KeptReply>({ status: id, headers, body }).id('RecordedReply')
const ownReply = joi
  .object({ status: id, headers, body, gone: joi.boolean().description('The client left first.') })
  .id('RecordedOwnReply')
const call = responseForm<KeptCall>({
  attempt: id,
  channel: id,
  channel_name: text,
  key_id: id,
  request: requestForm,
  reply: reply.allow(null),
  failed: text.description('Why no reply came. Empty: one did.'),
}).id('RecordedCall')

const ownRecordingFields = {
  created_at: unixSeconds,
  level: joi.string().valid('headers', 'bodies'),
  request: requestForm,
  reply: ownReply.allow(null),
}

export const ownRecording = joi.object(ownRecordingFields).id('OwnRecording')
export const recording = joi
  .object({ ...ownRecordingFields, calls: joi.array().items(call).max(16) })
  .id('Recording')
