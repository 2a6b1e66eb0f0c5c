/** What the area of channel tests returns. */
import joi from 'joi'
import type { Usage } from '../../../kernel/contract/event.js'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { RequestResult } from '../../services/channel-tests/index.js'
import type { TestReport } from './answers.js'
import type { FullTest } from './full.js'
import type { Failed, Progress } from './run.js'
import type { AppliedUpdates, ChannelUpdates, FoundUpdates } from './update-routes.js'

const text = joi.string().allow('')
const id = joi.number().integer().min(1)
const count = joi.number().integer().min(0)
const milliseconds = joi.number().min(0)
const names = joi.array().items(joi.string())
const counted = count.optional()

const usage = responseForm<Usage>({
  input: counted,
  cacheRead: counted,
  cacheWrite5m: counted,
  cacheWrite1h: counted,
  inputAudio: counted,
  inputImage: counted,
  output: counted,
  reasoning: counted.description('Part of `output`.'),
  outputAudio: counted,
  outputImage: counted,
  quantity: joi.number().min(0).optional().description('How many units of a price are due.'),
  dimensions: joi
    .object()
    .pattern(joi.string(), text)
    .optional()
    .description('What the price of a media task depends on, by name.'),
  counts: joi
    .object()
    .pattern(joi.string(), joi.number().min(0))
    .optional()
    .description('How many of each unit a media task made, by unit.'),
  serverTools: joi
    .object()
    .pattern(joi.string(), count)
    .optional()
    .description('Calls of tools the upstream ran itself, by name.'),
}).id('Usage')

/** The whole body: a test that failed is a result, and no failure of the request. */
export const testReport = responseForm<TestReport>({
  success: joi.boolean().description('The channel responded as it should.'),
  message: text.description('What is wrong. Empty: nothing.'),
  data: responseForm<TestReport['data']>({
    model: text.description('Empty: there was none to test with.'),
    endpoint_type: text.description('What was called. Empty: nothing was.'),
    response_ms: milliseconds.description('Until the whole response was there.'),
    first_ms: milliseconds.allow(null).description('Until its first content. Null: there is none.'),
    // Null: the upstream reported none.
    usage: usage.allow(null),
    code: text.description('Of the failure. Empty: there is none.'),
    status: joi.number().integer().description('What a client would have received.'),
  }).id('ChannelTest'),
  time: joi.number().min(0).description('Until the whole response was there, seconds.'),
}).id('ChannelTestReport')

const requestResult = responseForm<RequestResult>({
  name: text,
  outcome: joi.string().valid('passed', 'failed', 'skipped'),
  ms: milliseconds.description('How long it took.'),
  words: text.description('What was seen, or why it failed or was skipped.'),
}).id('RequestResult')

export const requestNames = names.description('In the order they are sent.')

export const fullTest = joi.object<FullTest>({
  results: joi.array().items(requestResult),
})

const failed = responseForm<Failed>({
  id,
  name: text,
  message: text,
}).id('RunFailure')

export const runProgress = responseForm<Progress>({
  total: count,
  done: count.description('Channels that are done, those that failed included.'),
  failed: count,
  failures: joi.array().items(failed).max(100).description('The first of those that failed.'),
  running: joi.boolean(),
  started_at: count.description('Unix seconds. 0: none was started since the gateway was.'),
}).id('RunProgress')

const dollars = joi.number().description('US dollars.').example(12.5)

export const balance = joi.object({ balance: dollars })
export const besideBalance = { balance: dollars }

export const upstreamModels = names.description('Names of the models of the upstream.')

export const foundUpdates = responseForm<FoundUpdates>({
  id,
  name: text,
  added: names.description('Models of the upstream that the channel does not list.'),
  removed: names.description('Models of the channel that the upstream does not list.'),
}).id('UpstreamDifference')

export const channelUpdates = responseForm<ChannelUpdates>({
  id,
  models: names.description('All models of the channel, as they are now.'),
  added: names,
  removed: names,
}).id('AppliedModels')

export const appliedUpdates = responseForm<AppliedUpdates>({
  channels: count.description('Channels that were changed.'),
  added: count.description('Models, of all channels.'),
  removed: count.description('Models, of all channels.'),
  refused: joi
    .array()
    .items(id)
    .description('Channels that would have been left without models; nothing was changed there.'),
}).id('AppliedUpdates')
