/**
 * Tests of channels and questions to their upstreams, for admins: does it answer, what is left of the money, which models
 * are there. Paths and fields of the family (management/README.md section 6). Works on channels that are switched off.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { channelTypeField } from '../../../kernel/toolkit/management/index.js'
import { failureAnswer, failureStatuses } from './answers.js'
import { balanceOf, singleKeyRows, storedBalance } from './balances.js'
import { type ChannelQueries, channelQueries } from './channel-queries.js'
import { draftOf } from './draft.js'
import {
  type ApplyForm,
  applyForm,
  channelId,
  type DraftChannel,
  detectForm,
  draftChannel,
  fullTestForm,
  testQuery,
} from './forms.js'
import { fullTest } from './full.js'
import * as responses from './responses.js'
import { channelRows, type Row } from './rows.js'
import { type Counts, createRun } from './run.js'
import { testOfAll, testOne } from './testing.js'
import { unservedReason } from './unserved.js'
import { updateRoutes } from './update-routes.js'
import type { QueryResult, UpstreamQueries } from './upstream-queries/index.js'

type AreaKit = Pick<
  Kit<'database' | 'channels' | 'channel-tests' | 'health' | 'catalog' | 'live' | 'peers'>,
  'services' | 'clock' | 'log'
>

export function channelTestArea(kit: AreaKit, upstreamQueries: UpstreamQueries): Management & Life {
  const { services, clock, log } = kit
  const { channels, catalog, live, peers } = services
  const rows = channelRows(services.database.knex)
  const queries = channelQueries(channels, upstreamQueries, (type) => unservedReason(catalog, type))
  const dependencies = { ...services, rows, queries }
  const reporting = (run: string) => ({
    ...{ clock, log, peers },
    onProgress: (progress: Counts) => live.publish('runs', { run, ...progress }),
  })
  const tests = createRun<Row>({ name: 'tests of all channels', ...reporting('tests') })
  const balances = createRun<Row>({ name: 'balances of all channels', ...reporting('balances') })
  const updates = updateRoutes({
    ...{ rows, edits: channels.edits, ask: queries },
    ...reporting('updates'),
  })
  return {
    routes: {
      test: {
        params: channelId,
        query: testQuery,
        bare: true,
        response: responses.testReport,
        handle: (request) => testOne(request, dependencies),
      },
      fullRequests: {
        response: responses.requestNames,
        handle: () => services['channel-tests'].requestNames,
      },
      full: {
        params: channelId,
        body: fullTestForm(services['channel-tests'].requestNames),
        response: responses.fullTest,
        handle: (request) => fullTest(request, dependencies),
      },
      testAll: {
        response: responses.runProgress,
        handle: async () => tests.start(await rows.all(), (row) => testOfAll(row, dependencies)),
      },
      testProgress: { response: responses.runProgress, handle: () => tests.progress() },
      balance: {
        params: channelId,
        response: responses.balance,
        beside: responses.besideBalance,
        failureStatuses,
        handle: (request) => balanceOf(request, dependencies),
      },
      balances: {
        response: responses.runProgress,
        handle: async () =>
          balances.start(await singleKeyRows(dependencies), (row) =>
            storedBalance(row, dependencies),
          ),
      },
      balanceProgress: { response: responses.runProgress, handle: () => balances.progress() },
      ...modelRoutes(services, queries),
      ...detectionRoutes(updates),
    },
    async stop() {
      await Promise.all([tests.stop(), balances.stop(), updates.stop()])
    },
  }
}

/** The models an upstream lists, of a channel and of one that is not saved yet. */
function modelRoutes(
  { catalog }: AreaKit['services'],
  queries: ChannelQueries,
): Management['routes'] {
  return {
    fetchModels: {
      params: channelId,
      response: responses.upstreamModels,
      failureStatuses,
      handle: async ({ params }) =>
        listed(await queries.models(queries.channel(Number(params.id)))),
    },
    fetchDraft: {
      body: draftChannel(channelTypeField(catalog)),
      response: responses.upstreamModels,
      failureStatuses,
      handle: async ({ body }: ManagementRequest<unknown, DraftChannel>) =>
        listed(await queries.models(draftOf(body, catalog).channel)),
    },
  }
}

function detectionRoutes(updates: ReturnType<typeof updateRoutes>): Management['routes'] {
  return {
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
  }
}

function listed(reported: QueryResult<readonly string[]>) {
  return 'failure' in reported ? failureAnswer(reported.failure) : reported.value
}
