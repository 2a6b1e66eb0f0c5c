/** Tests of one channel and of all. */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import type { TestResult } from '../../services/channel-tests/index.js'
import { testAnswer } from './answers.js'
import { type ChannelQueries, keyAt } from './channel-queries.js'
import type { TestQuery } from './forms.js'
import type { Row, Rows } from './rows.js'
import { withReason } from './unserved.js'

export interface TestingDependencies
  extends Pick<Services, 'channels' | 'catalog' | 'channel-tests' | 'health'> {
  readonly rows: Rows
  readonly queries: ChannelQueries
}

export async function testOne(
  { params, query }: ManagementRequest<TestQuery>,
  dependencies: TestingDependencies,
): Promise<Answer> {
  const { rows, queries, catalog, 'channel-tests': tests } = dependencies
  const channel = queries.channel(Number(params.id))
  const { test_model: testModel } = await rows.get(channel.id)
  const result = await tests.run(channel, {
    testModel,
    model: query.model,
    endpointType: query.endpoint_type,
    stream: query.stream,
    key: keyAt(channel, query.key_index),
  })
  await noted(channel, result, dependencies)
  return testAnswer(withReason(result, catalog, channel.type))
}

/** One of all; undefined: it works, else why not. */
export async function testOfAll(
  { id, test_model: testModel }: Pick<Row, 'id' | 'test_model'>,
  dependencies: TestingDependencies,
): Promise<string | undefined> {
  const { queries, catalog, 'channel-tests': tests } = dependencies
  const channel = queries.channel(id)
  const result = await tests.run(channel, { testModel })
  await noted(channel, result, dependencies)
  return result.ok ? undefined : withReason(result, catalog, channel.type).message
}

/** What never went out proves nothing about the channel's speed. */
async function noted(
  { id }: Channel,
  { endpointType, ms, firstMs, ok }: TestResult,
  { channels, health }: TestingDependencies,
): Promise<void> {
  if (ok) health.tested(id, firstMs ?? ms)
  if (endpointType !== undefined) await channels.noteTest(id, ms)
}
