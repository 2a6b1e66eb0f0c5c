/**
 * Tests of channels and questions to their upstreams, for admins: does it answer, what is left of the money, which models
 * are there. Paths and fields of the family (management/README.md section 6). Works on channels that are switched off.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { operatorMessage } from '../../../kernel/toolkit/errors/index.js'
import { channelTypeField } from '../../../kernel/toolkit/management/index.js'
import type { TestResult } from '../../services/channel-tests/index.js'
import { failureAnswer, failureStatuses, testAnswer, unfit } from './answers.js'
import { channelQueries, keyAt } from './channel-queries.js'
import { draftOf } from './draft.js'
import {
  type ApplyForm,
  applyForm,
  channelId,
  type DraftChannel,
  detectForm,
  draftChannel,
  type TestQuery,
  testQuery,
} from './forms.js'
import * as responses from './responses.js'
import { channelRows, type Row } from './rows.js'
import { type Counts, createRun } from './run.js'
import { unservedReason, withReason } from './unserved.js'
import { updateRoutes } from './update-routes.js'
import type { UpstreamQueries } from './upstream-queries/index.js'

type AreaKit = Pick<
  Kit<'database' | 'channels' | 'channel-tests' | 'catalog' | 'live'>,
  'services' | 'clock' | 'log'
>

export function channelTestArea(
  { services, clock, log }: AreaKit,
  upstreamQueries: UpstreamQueries,
): Management & Life {
  const { channels, catalog, live, 'channel-tests': tests } = services
  const telling = (run: string) => (progress: Counts) => live.publish('runs', { run, ...progress })
  const rows = channelRows(services.database.knex)
  const queries = channelQueries(channels, upstreamQueries, (type) => unservedReason(catalog, type))
  const testing = createRun<Row>({
    name: 'tests of all channels',
    clock,
    log,
    onProgress: telling('tests'),
  })
  const counting = createRun<Row>({
    name: 'balances of all channels',
    clock,
    log,
    onProgress: telling('balances'),
  })
  const updates = updateRoutes({
    rows,
    edits: channels.edits,
    ask: queries,
    clock,
    log,
    onProgress: telling('updates'),
  })

  async function test({ params, query }: ManagementRequest<TestQuery>): Promise<Answer> {
    const channel = queries.channel(Number(params.id))
    const { test_model: testModel } = await rows.get(channel.id)
    const result = await tests.run(channel, {
      testModel,
      model: query.model,
      endpointType: query.endpoint_type,
      stream: query.stream,
      key: keyAt(channel, query.key_index),
    })
    await noted(channel, result)
    return testAnswer(withReason(result, catalog, channel.type))
  }

  async function testAll() {
    return testing.start(await rows.all(), async ({ id, test_model: testModel }) => {
      const channel = queries.channel(id)
      const result = await tests.run(channel, { testModel })
      await noted(channel, result)
      return result.ok ? undefined : withReason(result, catalog, channel.type).message
    })
  }

  /** What never went out proves nothing about the channel's speed. */
  async function noted({ id }: Channel, { endpointType, ms }: TestResult): Promise<void> {
    if (endpointType !== undefined) await channels.noteTest(id, ms)
  }

  async function balance({ params }: ManagementRequest): Promise<Answer> {
    const channel = queries.channel(Number(params.id))
    const reported = await queries.balance(channel, await rows.get(channel.id))
    if (reported === undefined) {
      const reason = unservedReason(catalog, channel.type)
      throw unfit(reason ?? 'Channels of this type do not tell their balance.')
    }
    if ('failure' in reported) return failureAnswer(reported.failure)
    await channels.edits.saveBalance(channel.id, reported.value)
    const amount = Number(reported.value)
    // Beside the data as well, where the family has it.
    return { answer: true, data: { balance: amount }, beside: { balance: amount } }
  }

  async function balances() {
    const single = (await rows.all()).filter(({ id, multi_key_mode: mode }) => {
      return mode === '' && channels.get(id)?.keys.length === 1
    })
    return counting.start(single, async (row) => {
      const reported = await queries.balance(queries.channel(row.id), row)
      if (reported === undefined) return undefined
      if ('failure' in reported) return operatorMessage(reported.failure)
      await channels.edits.saveBalance(row.id, reported.value)
      return undefined
    })
  }

  async function fetchModels({ params }: ManagementRequest): Promise<unknown> {
    const reported = await queries.models(queries.channel(Number(params.id)))
    return 'failure' in reported ? failureAnswer(reported.failure) : reported.value
  }

  async function fetchDraft({ body }: ManagementRequest<unknown, DraftChannel>): Promise<unknown> {
    const { channel } = draftOf(body, catalog)
    const reported = await queries.models(channel)
    return 'failure' in reported ? failureAnswer(reported.failure) : reported.value
  }

  return {
    routes: {
      test: {
        params: channelId,
        query: testQuery,
        bare: true,
        response: responses.testReport,
        handle: test,
      },
      testAll: { response: responses.runProgress, handle: testAll },
      testProgress: { response: responses.runProgress, handle: () => testing.progress() },
      balance: {
        params: channelId,
        response: responses.balance,
        beside: responses.besideBalance,
        failureStatuses,
        handle: balance,
      },
      balances: { response: responses.runProgress, handle: balances },
      balanceProgress: { response: responses.runProgress, handle: () => counting.progress() },
      fetchModels: {
        params: channelId,
        response: responses.upstreamModels,
        failureStatuses,
        handle: fetchModels,
      },
      fetchDraft: {
        body: draftChannel(channelTypeField(catalog)),
        response: responses.upstreamModels,
        failureStatuses,
        handle: fetchDraft,
      },
      detect: {
        body: detectForm,
        response: responses.foundUpdates,
        failureStatuses,
        handle: ({ body }: ManagementRequest<unknown, { id: number }>) => updates.detect(body.id),
      },
      detectAll: { response: responses.runProgress, handle: updates.detectAll },
      updateProgress: { response: responses.runProgress, handle: updates.progress },
      apply: {
        body: applyForm,
        response: responses.channelUpdates,
        handle: ({ body }: ManagementRequest<unknown, ApplyForm>) => updates.apply(body),
      },
      applyAll: { response: responses.appliedUpdates, handle: updates.applyAll },
    },
    async stop() {
      await Promise.all([testing.stop(), counting.stop(), updates.stop()])
    },
  }
}
