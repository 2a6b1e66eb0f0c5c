/** The API reference in a browser: the document as its reader may see it, under the policy every page of the console has. */
import { spawnSync } from 'node:child_process'
import type { BrowserContext, Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { inTheme, phone, tooWide } from './kit/look.js'
import { atRest } from './kit/rest.js'

t.test('the API reference, read by root', { skip: noBrowser }, async (t) => {
  const { gateway, page, context, open, picture } = await openConsole(t)
  const violations = await violationsOf(context)
  const document = (await gateway.admin.call('GET', '/api/openapi.json'))
    .body as unknown as Document
  const declared = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  // Methods of one path may belong to several areas, and stand with their own.
  const areas = [...new Set(declared.map(({ tags }) => tags[0]))]
  const operations = areas.flatMap((area) => declared.filter(({ tags }) => tags[0] === area))

  await t.test('[SVC-4] the reference lists every operation of the document', async (t) => {
    await open('/reference')
    await link(page, 'tokens_create').waitFor()
    const listed = await page
      .locator('[data-operation]')
      .evaluateAll((links) => links.map((found) => found.getAttribute('data-operation')))
    t.ok(listed.length > 100)
    t.strictSame([...listed].sort(), operations.map(({ operationId }) => operationId).sort())
    await picture('reference-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('[SVC-4] a search finds operations by path, field and scope', async (t) => {
    const search = page.getByTestId('search').locator('input')
    await search.fill('page_size tokens:read')
    await link(page, 'tokens_list').waitFor()
    await link(page, 'tokens_create').waitFor({ state: 'detached' })
    t.match(page.url(), /q=page_size/)
    await search.fill('nothing is called so')
    await page.getByTestId('empty').waitFor()
    await search.fill('')
    await link(page, 'tokens_create').waitFor()
    t.notMatch(page.url(), /q=/)
  })

  await t.test(
    '[SVC-4] an operation shows what it takes and returns, and how it is called',
    async (t) => {
      await link(page, 'tokens_create').click()
      const shown = page.getByTestId('operation')
      await shown.getByText('remain_quota').first().waitFor()
      t.match(page.url(), /operation=tokens_create/)
      t.equal(await page.evaluate('document.activeElement.tagName'), 'H2', 'read on at its heading')
      const text = await shown.innerText()
      for (const part of ['tokens:write', 'name', 'required', '1 – 50', '200', '429', 'success']) {
        t.match(text, part)
      }
      const curl = await shown.getByTestId('curl').locator('code').innerText()
      t.match(curl, `${gateway.url}/api/token`)
      const [command = []] = argumentsOf(curl)
      t.ok(command.includes('Authorization: Bearer a-token'))
      const body = command.at(-1) ?? ''
      const made = await gateway.admin.call('POST', '/api/token/', JSON.parse(body))
      t.match(made, { status: 200, body: { success: true } }, 'the example is taken')
      for (const theme of ['light', 'dark'] as const) {
        await inTheme(page, theme)
        await picture(`reference-operation-${theme}`)
        t.strictSame(await findings(page), [])
      }
      await inTheme(page, 'light')
    },
  )

  await t.test('[SVC-4] every operation can be opened, and its example is one call', async (t) => {
    const shown = await everyExample(page)
    t.equal(shown.length, operations.length)
    for (const [at, { path, method }] of operations.entries()) {
      const known = shown[at]!
      t.equal(known.path, path)
      const [command] = argumentsOf(known.curl)
      const address = `${gateway.url}${path.replace(/\{(\w+)\}/g, '<$1>')}`
      t.ok(
        command?.some((argument) => argument.startsWith(address)),
        known.curl,
      )
      const isGet = method === 'get'
      t.equal(isGet || command?.includes(method.toUpperCase()), true, known.curl)
    }
    t.equal(await tooWide(page), 0)
  })

  await t.test(
    '[SVC-4] what a plugin declares is shown as text, and no shell runs it',
    async (t) => {
      const script = '<img src=x onerror="document.title=1">'
      const evil = '/api/evil\'$(echo run)`echo run`"$HOME'
      await page.route('**/api/openapi.json', async (request) => {
        const response = await request.fetch()
        const body = await response.json()
        const loop = { $ref: '#/components/schemas/Loop' }
        body.components.schemas.Loop = { type: 'object', properties: { inner: loop, [script]: {} } }
        body.paths[evil] = {
          post: {
            operationId: 'evil',
            tags: [script],
            summary: script,
            description: script,
            security: [{ generativeQuery: [] }],
            parameters: [{ name: evil, in: 'query', required: true, schema: { default: evil } }],
            requestBody: {
              content: { 'application/json': { schema: { allOf: [loop], example: { evil } } } },
            },
            responses: { 200: { $ref: '#/components/responses/Nowhere' } },
          },
        }
        await request.fulfill({ response, json: body })
      })
      await open('/reference?operation=evil')
      await page.getByTestId('operation').getByRole('heading', { name: script }).waitFor()
      t.equal(await page.locator('main img').count(), 0)
      const curl = await page.getByTestId('curl').locator('code').innerText()
      const [command = []] = argumentsOf(curl)
      const query = `${encodeURIComponent(evil)}=${encodeURIComponent(evil)}`
      t.equal(command[2], `${gateway.url}${evil}?${query}&key=a-key`)
      t.strictSame(JSON.parse(command.at(-1)!), { evil })
      await page.unroute('**/api/openapi.json')
    },
  )

  await t.test('[SVC-4] the access tokens of an account lead to the reference', async (t) => {
    await open('/profile/security')
    await page.getByRole('link', { name: 'What can be called' }).click()
    await page.getByTestId('introduction').waitFor()
    t.match(page.url(), /\/reference$/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('document').click(),
    ])
    t.equal(download.suggestedFilename(), 'openapi.json')
  })

  await t.test('[SVC-4] the reference speaks Chinese and fits a phone', async (t) => {
    const small = await consoleOf(t, context.browser()!, gateway, {
      viewport: phone,
      locale: 'zh-CN',
    })
    const refused = await violationsOf(small.context)
    await small.open('/reference?operation=users_manage')
    await small.page.getByTestId('operation').getByText('请求体').first().waitFor()
    t.equal(await small.page.getByTestId('operations').isVisible(), false)
    t.equal(await tooWide(small.page), 0)
    t.strictSame(await findings(small.page), [])
    await small.picture('reference-operation-phone')
    await small.page.getByRole('link', { name: '全部接口' }).click()
    await link(small.page, 'tokens_list').waitFor()
    t.equal(await tooWide(small.page), 0)
    await atRest(small.page)
    await small.picture('reference-phone')
    t.strictSame(refused, [])
  })

  t.strictSame(violations, [], 'nothing was loaded or run that the policy forbids')
})

t.test(
  '[SVC-4] a user reads of nothing but what users may call',
  { skip: noBrowser },
  async (t) => {
    const { gateway, context } = await openConsole(t)
    const person = { username: 'reader', password: 'a-password-of-a-reader' }
    await gateway.admin.must('POST', '/api/user/', person)
    const own = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    own.expectError(/401/)
    t.equal((await own.context.request.post('/api/user/login', { data: person })).status(), 200)
    await own.open('/reference')
    await link(own.page, 'tokens_list').waitFor()
    t.equal(await link(own.page, 'channels_list').count(), 0)
    t.notMatch(await own.page.getByTestId('operations').innerText(), /\/api\/option/)
  },
)

t.test(
  '[SVC-4] nothing of the reference is loaded by other pages',
  { skip: noBrowser },
  async (t) => {
    const { page, open } = await openConsole(t)
    const fetched: string[] = []
    page.on('response', (response) => fetched.push(new URL(response.url()).pathname))
    await open('/dashboard')
    await page.waitForLoadState('networkidle')
    t.ok(fetched.length > 10)
    t.strictSame(
      fetched.filter((path) => /reference|openapi/.test(path)),
      [],
    )
    await open('/reference')
    await link(page, 'tokens_list').waitFor()
    t.ok(fetched.some((path) => path === '/api/openapi.json'))
  },
)

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId: string; readonly tags: readonly string[] }>>
    >
  >
}

function link(page: Page, operation: string) {
  return page.locator(`[data-operation="${operation}"]`)
}

/** What the policy of the pages refuses from now on, in any page of the window. */
async function violationsOf(context: BrowserContext): Promise<readonly string[]> {
  const found: string[] = []
  await context.exposeFunction('reportViolation', (text: string) => void found.push(text))
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI))`)
  return found
}

interface Example {
  readonly path: string
  readonly curl: string
}

/** Opens one operation after the other, within the page. */
function everyExample(page: Page): Promise<readonly Example[]> {
  return page.evaluate(`(async () => {
    const found = []
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    for (const link of document.querySelectorAll('[data-operation]')) {
      link.click()
      while (!location.search.includes('operation=' + link.dataset.operation)) await drawn()
      await drawn()
      const shown = document.querySelector('[data-test=operation]')
      const path = shown.querySelector('.address code').textContent
      found.push({ path, curl: shown.querySelector('[data-test=curl] code').textContent })
    }
    return found
  })()`)
}

/** What a shell makes of a text: the arguments of each call of curl in it. */
function argumentsOf(text: string): readonly (readonly string[])[] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${text}`
  const env = { API_KEY: 'a-key', ACCESS_TOKEN: 'a-token' }
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' })
  if (stderr !== '') throw new Error(`the shell complained of ${text}: ${stderr}`)
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((call) => call.split('\0').slice(0, -1))
}
