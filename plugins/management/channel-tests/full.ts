/** The full test of one channel, or some requests of it: what a page asks for one by one, a script asks for at once. */

import type { ManagementRequest } from '../../../kernel/contract/management.js'
import { operatorMessage, Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { RequestResult } from '../../services/channel-tests/index.js'
import { keyAt } from './channel-queries.js'
import type { FullTestForm } from './forms.js'
import type { TestingDependencies } from './testing.js'
import { unservedReason } from './unserved.js'

export interface FullTest {
  readonly results: readonly RequestResult[]
}

export async function fullTest(
  { params, body, signal }: ManagementRequest<unknown, FullTestForm>,
  { rows, queries, catalog, 'channel-tests': tests }: TestingDependencies,
): Promise<FullTest> {
  const channel = queries.channel(Number(params.id))
  const unserved = unservedReason(catalog, channel.type)
  if (unserved !== undefined) throw new Refusal('invalid_request', { reason: unserved })
  const { test_model: testModel } = await rows.get(channel.id)
  const { model, embedding_model: embeddingModel, only, key_index } = body
  const results = await tests.full(channel, {
    ...{ testModel, model, embeddingModel, only, signal, key: keyAt(channel, key_index) },
    async models() {
      const reported = await queries.models(channel)
      if ('failure' in reported) throw new Error(operatorMessage(reported.failure))
      return reported.value
    },
  })
  return { results }
}
