/**
 * Tasks nobody knows of whether they were accepted, and what comes late: who left or stopped leaves a doubt, which costs nobody
 * anything and ends within an hour, and whatever its upstream reports afterwards is shown and not charged.
 */
import t, { type Test } from 'tap'
import { limits } from '../../../../kernel/toolkit/limits/index.js'
import { bootGateway } from '../../../kit/gateway.js'
import { taskModel } from '../../../kit/task-gateway.js'
import { taskTypeRoot } from '../../../kit/task-upstream.js'
import { charge, faultyGateway, hourMs } from './faults.js'

const doubt = { state: 'unknown', billing: 'final', charged: 0n, cost: 0n }
const failed = { ...doubt, state: 'failed' }
const url = 'https://cdn.example/late.mp4'

async function start(t: Test) {
  const gateway = await faultyGateway(t)
  const { admin, upstream, clock, row } = gateway
  await admin.option('ServerAddress', gateway.url)
  await admin.channel({
    ...{ type: 993, name: 'second', key: 'other-key', base_url: upstream.url },
    ...{ models: taskModel, group: 'default', priority: -1 },
  })
  return {
    ...gateway,
    /** As its owner sees it. */
    async seen(prompt: string) {
      const { task_id } = await row(prompt)
      return (await gateway.fetch(task_id)).body
    },
    /** Its time passes until the request has left its task. */
    async left(prompt: string) {
      while ((await row(prompt))?.state === 'submitting') clock.advance(1_000)
    },
    /** To the address of the task; its upstream was given it with the submission. */
    async reported(prompt: string, report: Record<string, unknown>): Promise<number> {
      const { request_id } = await row(prompt)
      const address = new URL(gateway.service.line.callbackUrl(request_id)!)
      const init = { method: 'POST', body: JSON.stringify({ id: 'up-late', ...report }) }
      return (await fetch(`${gateway.url}${address.pathname}`, init)).status
    },
    async doubtful(t: Test, prompt: string) {
      upstream.submitWith(() => 'cut')
      const { status } = await gateway.submit(prompt)
      upstream.submitWith(undefined)
      t.equal(status, 502, prompt)
      await gateway.gateway.idle()
      t.strictSame(await gateway.standing(prompt), doubt, prompt)
    },
  }
}

const world = await start(t as Test)

t.test(
  '[BILL-10] a client that leaves while its task is submitted leaves a doubt, charged to nobody and sent nowhere else',
  async (t) => {
    const nothing = await world.money()
    world.upstream.submitWith(() => 'hang')
    t.teardown(() => world.upstream.submitWith(undefined))
    const leaving = new AbortController()
    const request = fetch(`${world.url}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: taskModel, prompt: 'left', seconds: 5 }),
      signal: leaving.signal,
    })
    while (world.sent('left') === 0) await world.row('left')
    t.strictSame(await world.money(), { ...nothing, held: charge })
    leaving.abort()
    await t.rejects(request)
    await world.left('left')
    await world.gateway.idle()
    t.strictSame(await world.standing('left'), doubt)
    t.strictSame(await world.money(), nothing)
    t.equal(world.sent('left'), 1)
    t.equal(await world.doubts('left'), 1, 'root is notified once')
    t.match(await world.seen('left'), { data: { status: 'UNKNOWN' } })
    world.clock.advance(hourMs)
    t.strictSame(await world.ended('left'), failed)
    t.match(await world.seen('left'), { data: { status: 'FAILURE', fail_reason: /not known/ } })
    t.strictSame(await world.states('left'), ['unknown', 'failed'])
    t.strictSame(await world.money(), nothing)
  },
)

t.test(
  '[BILL-10] a process that stops while its task is submitted leaves a doubt, which the next one ends',
  async (t) => {
    const world = await start(t)
    const nothing = await world.money()
    world.upstream.submitWith(() => 'hang')
    const request = world.submit('stopped')
    while (world.sent('stopped') === 0) await world.row('stopped')
    const stopping = world.gateway.stop()
    await world.row('stopped')
    world.clock.advance(limits.shutdownMs)
    await stopping
    t.match(await request, { status: 503, body: { error: { code: 'shutting_down' } } })
    t.strictSame(await world.standing('stopped'), doubt)
    t.strictSame(await world.money(), nothing)
    t.equal(await world.doubts('stopped'), 1)
    t.equal(world.sent('stopped'), 1)
    world.clock.advance(hourMs)
    const next = await bootGateway(t, {
      ...{ clock: world.clock, roots: [taskTypeRoot], wrap: world.opened },
    })
    await next.service('tasks').round()
    t.strictSame(await world.standing('stopped'), failed)
    t.strictSame(await world.money(), nothing)
    t.equal(world.sent('stopped'), 1)
  },
)

t.test(
  '[BILL-10] an upstream that refuses a task in its own words leaves no doubt, whatever the status, and another is asked',
  async (t) => {
    const { spent } = await world.money()
    t.teardown(() => world.upstream.submitWith(undefined))
    const refusals = [{ status: 200, body: { refused: 502 } }]
    world.upstream.submitWith(() => refusals.pop())
    t.equal((await world.submit('refused')).status, 200)
    await world.gateway.idle()
    t.equal(world.sent('refused'), 2)
    t.equal(await world.doubts('refused'), 0)
    t.match(await world.standing('refused'), { state: 'queued', charged: charge })
    world.report('refused', { status: 'failed', reason: 'It failed.' })
    world.clock.advance(60_000)
    await world.ended('refused')
    t.strictSame(await world.money(), { spent, held: 0n })
  },
)

t.test(
  '[BILL-10] a report on a task in doubt is shown, before its hour is over and after it, and charged to nobody',
  async (t) => {
    const nothing = await world.money()
    await world.doubtful(t, 'within')
    await world.doubtful(t, 'after')
    for (const report of [{ status: 'running' }, { status: 'failed', reason: 'It failed.' }]) {
      t.equal(await world.reported('within', report), 200)
      t.strictSame(await world.standing('within'), doubt, 'only a success is news')
    }
    for (const _ of ['once', 'twice']) {
      t.equal(await world.reported('within', { status: 'done', seconds: 3, url }), 200)
    }
    t.strictSame(await world.standing('within'), doubt)
    t.match(await world.row('within'), { late_success: true })
    t.match((await world.seen('within')).data, { status: 'UNKNOWN', result_url: url })
    world.clock.advance(hourMs)
    for (const prompt of ['within', 'after']) {
      t.strictSame(await world.ended(prompt), failed, prompt)
    }
    t.match((await world.seen('within')).data, { status: 'FAILURE', result_url: url })
    t.match(await world.row('after'), { late_success: false })
    t.equal(await world.reported('after', { status: 'done', seconds: 3, url }), 200)
    t.strictSame(await world.standing('after'), failed)
    t.match(await world.row('after'), { late_success: true })
    t.match((await world.seen('after')).data, { status: 'FAILURE', result_url: url })
    t.strictSame(await world.money(), nothing)
    for (const prompt of ['within', 'after']) {
      t.equal(await world.finals(prompt), 0, prompt)
      t.equal(world.sent(prompt), 1, prompt)
    }
  },
)

t.test(
  '[BILL-4] a success behind the refund is shown once, and neither charged nor paid back again (M6)',
  async (t) => {
    const nothing = await world.money()
    t.equal((await world.submit('late')).status, 200)
    await world.gateway.idle()
    t.strictSame(await world.money(), { ...nothing, spent: nothing.spent + charge })
    world.clock.advance(1440 * 60_000)
    t.strictSame(await world.ended('late'), { ...failed, charged: charge })
    t.strictSame(await world.money(), nothing)
    const { id } = world.upstream.byPrompt('late')
    t.equal(await world.reported('late', { id, status: 'done', seconds: 3, url }), 200)
    const other = 'https://cdn.example/other.mp4'
    t.equal(await world.reported('late', { id, status: 'done', seconds: 3, url: other }), 200)
    t.equal(await world.reported('late', { id, status: 'failed' }), 200)
    t.strictSame(await world.standing('late'), { ...failed, charged: charge })
    t.match(await world.row('late'), { late_success: true })
    t.match((await world.seen('late')).data, {
      ...{ status: 'FAILURE', fail_reason: /did not end within/, result_url: url },
    })
    t.strictSame(await world.money(), nothing)
    t.equal(await world.finals('late'), 1, 'the refund, and nothing else')
  },
)

t.test(
  '[BILL-4] of a cancelled task that is gone the charge stands; one that was not cancelled is asked for until its deadline',
  async (t) => {
    let { spent } = await world.money()
    for (const status of [404, 410]) {
      const prompt = `cancelled, then ${status}`
      t.equal((await world.submit(prompt)).status, 200)
      await world.gateway.idle()
      const { task_id } = await world.row(prompt)
      const { report } = world.upstream.byPrompt(prompt)
      world.upstream.pollWith(() =>
        world.upstream.byPrompt(prompt).report === report ? undefined : { status, body: {} },
      )
      t.equal((await world.service.cancel(task_id)).state, 'failed')
      spent += charge
      t.strictSame(await world.standing(prompt), { ...failed, charged: charge, cost: charge })
      t.match(await world.row(prompt), { reason: /may have been made before/, poll_at: null })
      t.strictSame(await world.money(), { spent, held: 0n })
      t.equal(await world.finals(prompt), 0)
      const kept = `under way, then ${status}`
      world.upstream.pollWith(undefined)
      t.equal((await world.submit(kept)).status, 200)
      await world.gateway.idle()
      world.upstream.pollWith(() => ({ status, body: {} }))
      await world.service.poll((await world.row(kept)).task_id)
      t.match(await world.row(kept), { state: 'queued', billing: 'charged', poll_failures: 1 })
      world.clock.advance(1440 * 60_000)
      t.strictSame(await world.ended(kept), { ...failed, charged: charge }, kept)
      t.strictSame(await world.money(), { spent, held: 0n }, `${kept}: paid back`)
      t.equal(await world.finals(kept), 1)
      world.upstream.pollWith(undefined)
    }
  },
)
