/** Media tasks: the gallery and the table, what one shows, and what their owner and admins can do with it. */
import { deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import t from 'tap'
import { consolePages } from '../../config/built-in.js'
import { management } from '../kit/management.js'
import { taskGateway, taskModel } from '../kit/task-gateway.js'
import { findings } from './kit/axe.js'
import { consoleOf, hearComplaints, launch, noBrowser, signIn } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const clip = { model: taskModel, seconds: 5 }
const password = 'a long password here'

t.test('media tasks', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  hearComplaints(t)
  const gateway = await taskGateway(t, { pages: consolePages })
  const { admin, upstream, url } = gateway
  const browser = await launch()
  t.teardown(() => browser.close())

  const { id } = await admin.must('POST', '/api/user/', { username: 'ada', password })
  await admin.credit(id, 1_000_000)
  const ofAda = management(url)
  await ofAda.login('ada', password)
  const { key } = await ofAda.token()
  const ada = await consoleOf(t, browser, gateway, { signedIn: false })
  await signIn(ada.context, url, { username: 'ada', password })
  const boss = await consoleOf(t, browser, gateway)
  const { page } = ada
  const card = (title: string) => page.locator('article.task').filter({ hasText: title })

  async function submit(prompt: string, fields: object = {}): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ ...clip, prompt, ...fields })
    const answer = await fetch(`${url}/v1/video/generations`, { method: 'POST', headers, body })
    return ((await answer.json()) as { task_id: string }).task_id
  }

  function report(prompt: string, fields: object): void {
    const task = upstream.byPrompt(prompt)
    task.report = { id: task.id, ...fields }
  }

  await t.test('without a task the page states how one is submitted', async (t) => {
    await ada.open('/tasks')
    await page.getByTestId('empty').getByText('POST /v1/video/generations').waitFor()
    t.strictSame(await findings(page), [])
    await ada.picture('tasks-empty-light')
  })

  const picture = await submit('A lighthouse in a storm, seen from the sea')
  const sound = await submit('Rain on a tin roof')
  const failed = await submit('Something nobody may draw')
  await submit('A clip that is gone')
  const running = await submit('A cat that walks along a fence at dusk, slowly, from left to right')

  await t.test('a task goes on before the eyes of its owner', async (t) => {
    await card('A cat that walks').waitFor()
    report('A cat that walks along a fence at dusk, slowly, from left to right', {
      ...{ status: 'running', percent: 40 },
    })
    await gateway.round()
    await card('A cat that walks').getByText('40%').waitFor()
    report('A cat that walks along a fence at dusk, slowly, from left to right', {
      ...{ status: 'running', percent: 70 },
    })
    await gateway.round()
    const bar = card('A cat that walks').getByRole('progressbar', { name: 'Progress' })
    await bar.and(page.locator('[aria-valuenow="70"]')).waitFor()
    t.equal(await card('A cat that walks').getByTestId('state').innerText(), 'Being made')
  })

  await t.test('what was made is shown, and what was paid back', async (t) => {
    report('A lighthouse in a storm, seen from the sea', {
      ...{ status: 'done', seconds: 3, type: 'image', data: inline('image/png', png(96, 60)) },
    })
    report('Rain on a tin roof', {
      status: 'done',
      type: 'audio',
      data: inline('audio/wav', silence()),
    })
    report('Something nobody may draw', { status: 'failed', reason: 'It is not allowed.' })
    ada.expectError(/status of 404/)
    report('A clip that is gone', { status: 'done', url: 'http://127.0.0.1:1/clip.mp4' })
    await gateway.round()
    await until(page, pictureIsThere)
    await card('A clip that is gone').getByTestId('no-preview').waitFor()
    await card('A lighthouse').getByText('$0.004 paid back', { exact: false }).waitFor()
    await card('Something nobody').getByText('It is not allowed.').waitFor()
    await card('Something nobody').getByText('paid back: all of it', { exact: false }).waitFor()
    await card('Rain on a tin roof').locator('audio').waitFor()
    await until(page, `document.querySelector('article audio').duration > 0`)
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme)
      t.strictSame(await findings(page, theme === 'light' ? 'whole' : 'colours'), [])
      await ada.picture(`tasks-gallery-${theme}`)
    }
    await inTheme(page, 'light')
    t.equal(await tooWide(page), 0)
  })

  await t.test('one opens with its history, its price and what was requested', async (t) => {
    await card('A lighthouse').getByTestId('open').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByTestId('history').getByText('Done', { exact: true }).waitFor()
    const charge = drawer.getByTestId('charge')
    await charge.getByText('How the charge came about').waitFor()
    await charge.getByText('How the cost came about').waitFor()
    t.equal(await charge.getByText('Equals what was charged, to the unit.').count(), 2)
    t.match(await charge.innerText(), /\$0\.01[\s\S]*\$0\.006/)
    await drawer.getByTestId('raw').locator('summary').click()
    await drawer.getByTestId('raw').getByText('"status": "done"').waitFor()
    const text = await drawer.innerText()
    t.notMatch(text, /Channel|Id at the upstream/, 'nothing of what is behind')
    t.notMatch(text, new RegExp(`"${upstream.byPrompt('Rain on a tin roof').id}"`))
    t.match(
      await drawer.getByTestId('download').getAttribute('href'),
      new RegExp(`/v1/tasks/${picture}/results/0`),
    )
    t.strictSame(await findings(page), [])
    await ada.picture('tasks-one-light')
    await drawer.getByTestId('fact-request_id').getByRole('link').click()
    await page.waitForURL(/\/logs\/req_/)
    await page.getByRole('link', { name: picture }).click()
    await page.waitForURL(new RegExp(`/tasks\\?task_id=${picture}`))
    await page.getByRole('dialog').getByTestId('task').waitFor()
  })

  await t.test('an address that ran out is replaced once', async (t) => {
    const reads: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/task/self')) reads.push(request.url())
    })
    let refused = 0
    ada.expectError(/status of 403/)
    await page.route('**/v1/tasks/**', async (route) => {
      const isPicture = route.request().resourceType() === 'image'
      if (!isPicture || refused++ > 0) return route.continue()
      const ends = Number(new URL(route.request().url()).searchParams.get('expires'))
      await secondAfter(ends - 900)
      await route.fulfill({ status: 403, body: '' })
    })
    await ada.open(`/tasks?state=succeeded&model=clip`)
    await until(page, pictureIsThere)
    t.ok(reads.length >= 2, 'the tasks were read again')
    await page.unroute('**/v1/tasks/**')
  })

  await t.test('the table is remembered, and filters stand in the address', async (t) => {
    await ada.open('/tasks')
    await page.getByTestId('as-table').click()
    const rows = page.locator('tbody tr')
    await rows.nth(4).waitFor()
    await ada.picture('tasks-table-light')
    t.strictSame(await findings(page), [])
    await page.goto('/tasks?state=failed')
    await page.getByRole('button', { name: 'Open Something nobody may draw' }).waitFor()
    t.equal(await rows.count(), 1)
    await page.getByTestId('as-gallery').click()
    await card('Something nobody').waitFor()
  })

  await t.test('an owner cancels and deletes, each after a question', async (t) => {
    await ada.open(`/tasks?task_id=${running}`)
    const drawer = page.getByRole('dialog').filter({ has: page.getByTestId('task') })
    await drawer.getByTestId('cancel').click()
    await page
      .getByRole('dialog', { name: 'Cancel this task?' })
      .getByRole('button', { name: 'Cancel the task' })
      .click()
    await drawer.getByTestId('task-state').getByText('Failed').waitFor()
    t.equal(await drawer.getByTestId('cancel').count(), 0)
    await drawer.getByTestId('remove').click()
    await page
      .getByRole('dialog', { name: 'Delete this task?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await drawer.waitFor({ state: 'detached' })
    await page.getByText('Nothing found', { exact: false }).waitFor()
    t.equal((await ofAda.must('GET', '/api/task/self')).total, 4)
  })

  await t.test('admins see everybody, the channel, and ask the upstream at once', async (t) => {
    const waiting = await submit('A dog')
    await gateway.gateway.idle()
    report('A dog', { status: 'running', percent: 15 })
    boss.expectError(/status of 404/)
    await boss.open(`/tasks?task_id=${waiting}`)
    const drawer = boss.page.getByRole('dialog')
    await drawer.getByTestId('fact-channel').getByText('clips').waitFor()
    t.equal(await drawer.getByTestId('fact-upstream_id').innerText(), upstream.byPrompt('A dog').id)
    await drawer.getByTestId('poll').click()
    await drawer.getByText('15%').waitFor()
    t.equal(await drawer.getByTestId('remove').count(), 0, 'it is not theirs to delete')
    t.strictSame(await findings(boss.page), [])
    await boss.picture('tasks-admin-one-light')
    await boss.open('/tasks?username=ada')
    await boss.page.getByText('clips · ada', { exact: false }).first().waitFor()
    await boss.picture('tasks-admin-gallery-light')
    await boss.page.getByTestId('as-table').click()
    await boss.page
      .getByRole('link', { name: /clips #/ })
      .first()
      .waitFor()
    t.strictSame(await findings(boss.page), [])
    await boss.picture('tasks-admin-table-light')
  })

  await t.test('a success behind the refund is marked as one', async (t) => {
    await gateway.knex('tasks').where({ task_id: failed }).update({ late_success: true })
    await ada.open(`/tasks?task_id=${failed}`)
    await page.getByTestId('late').waitFor()
    t.ok(sound)
  })

  await t.test('admins see what became of storing a result, its owner until when', async (t) => {
    await gateway.admin.option('TaskStorageFolder', t.testdir({}))
    await gateway.admin.option('TaskStorage', 'folder')
    await gateway.admin.option('TaskStorageDays', 7)
    const kept = await submit('A heron at the weir')
    report('A heron at the weir', {
      ...{ status: 'done', type: 'image', data: inline('image/png', png(96, 60)) },
    })
    await gateway.round()
    await ada.open(`/tasks?task_id=${kept}`)
    await page.getByTestId('kept').getByText('Kept until').waitFor()
    t.equal(await page.getByTestId('stored').count(), 0)
    const stored = boss.page.getByTestId('stored-0')
    const shows = async (...texts: readonly string[]) => {
      await boss.open(`/tasks?task_id=${kept}`)
      for (const text of texts) await stored.getByText(text).waitFor()
    }
    await shows('Stored', 'Kept until')
    t.match(await stored.innerText(), new RegExp(`In the folder as \\d{4}-\\d\\d/${kept}-0, `))
    t.strictSame(await findings(boss.page), [])
    await boss.picture('tasks-stored-light')
    const rows = gateway.knex('task_stored')
    const later = new Date(Date.now() + 86_400_000)
    const reason = 'The folder is full.'
    await rows.clone().update({ state: 'pending', tries: 2, next_at: later, reason })
    await shows('Failed, and tried again', 'Tries so far: 2.', reason, 'Tried again at')
    await boss.picture('tasks-stored-failing-light')
    await rows.clone().update({ reason: '', tries: 0 })
    await shows('Waiting', 'as soon as there is room')
    await rows.clone().update({ state: 'failed', tries: 6, next_at: null, reason })
    await shows('Tries so far: 6.', reason, 'It is tried no more')
    await rows.clone().update({ state: 'leaving', next_at: later })
    await shows('Expired', 'its file is being deleted')
  })

  await t.test('on a phone, in Chinese and in the dark, nothing stands out sideways', async (t) => {
    const small = await consoleOf(t, browser, gateway, {
      ...{ signedIn: false, viewport: phone, locale: 'zh-CN', theme: 'dark' },
    })
    await signIn(small.context, url, { username: 'ada', password })
    await small.open('/tasks')
    await small.page.locator('article.task').first().waitFor()
    t.equal(await tooWide(small.page), 0)
    await small.picture('tasks-gallery-phone-zh-dark')
    await small.page.getByTestId('open').first().click()
    await small.page.getByTestId('history').waitFor()
    t.equal(await tooWide(small.page), 0)
    await small.picture('tasks-one-phone-zh-dark')
    t.strictSame(await findings(small.page), [])
    small.expectError(/status of 404/)
  })
})

const pictureIsThere = `[...document.querySelectorAll('article img')].some((one) => one.naturalWidth === 96)`

/** The page's own policy keeps texts from being run but by the debugger. */
async function until(page: Page, condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const end = performance.now() + 15_000
    const look = () => {
      if (${condition}) resolve()
      else if (performance.now() > end) reject(new Error('it never came'))
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

/** Addresses of one second are the same. */
async function secondAfter(second: number): Promise<void> {
  while (Math.floor(Date.now() / 1000) <= second) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function inline(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

function png(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => [x * 2, y * 4, 150]).flat()]),
  )
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.concat(rows))
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND')])
}

function chunk(name: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc(body), body.length + 4)
  return framed
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

function silence(): Buffer {
  const rate = 8_000
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + rate, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(rate, 40)
  return Buffer.concat([head, Buffer.alloc(rate, 128)])
}
