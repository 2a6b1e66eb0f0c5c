/** The first start in a real browser: from a gateway nobody owns to a signed-in root with a way to go on. */
import { chromium } from 'playwright-core'
import t, { type Test } from 'tap'
import { builtInRoots, consolePages } from '../../config/built-in.js'
import { boot } from '../../kernel/boot.js'
import { order } from '../../plugins/stages/line.js'
import { testDatabase } from '../kit/database.js'
import { quietLog } from '../kit/fakes.js'
import { defaultEnvironment, type TestGateway } from '../kit/gateway.js'
import { management, root } from '../kit/management.js'
import { findings } from './kit/axe.js'
import { type ConsoleOptions, chromiumPath, consoleOf, noBrowser } from './kit/browser.js'

t.test(
  'the wizard makes root, signs them in and shows what comes next',
  { skip: noBrowser },
  async (t) => {
    const { page, open, picture, expectError, gateway } = await freshConsole(t)
    expectError(/401/)
    await open('/dashboard')
    t.match(page.url(), /\/setup$/, 'nothing else can be done')
    await page.locator('[data-test=database]').waitFor()
    await picture('setup-database-light')
    t.strictSame(await findings(page), [])
    await page.getByRole('button', { name: 'Next' }).click()

    const field = (name: string) => page.locator(`input[name=${name}]`)
    await field('username').fill('captain')
    await field('password').fill('short')
    await field('confirmPassword').fill('shorter')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('At least 8 characters.', { exact: true }).waitFor()
    await page.getByText('The two passwords differ.').waitFor()
    await picture('setup-account-faults-light')
    t.strictSame(await findings(page), [])
    t.equal(await field('username').inputValue(), 'captain', 'what was typed stays')
    await field('password').fill(root.password)
    await field('confirmPassword').fill(root.password)
    await page.getByText('Strong.').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()

    await page.getByText('For myself').click()
    await picture('setup-usage-light')
    t.strictSame(await findings(page), [])
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.locator('[data-test=next-steps]').waitFor()
    await picture('setup-done-light')
    t.strictSame(await findings(page), [])

    const status = await gateway.admin.must('GET', '/api/status')
    t.match(status, { setup: true, self_use_mode_enabled: true, demo_site_enabled: false })
    const { body } = await gateway.admin.login('captain', root.password)
    t.match(body.data, { username: 'captain', role: 100 })
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.waitForURL('**/dashboard')
  },
)

t.test(
  'a gateway that is set up says so, and makes no second root',
  { skip: noBrowser },
  async (t) => {
    const { page, open, picture, gateway, expectError } = await freshConsole(t, { theme: 'dark' })
    expectError(/409|401/)
    await open('/setup')
    await page.locator('[data-test=database]').waitFor()
    await picture('setup-database-dark')
    t.strictSame(await findings(page), [])
    await gateway.admin.setUp()
    await page.getByRole('button', { name: 'Next' }).click()
    for (const name of ['password', 'confirmPassword']) {
      await page.locator(`input[name=${name}]`).fill(root.password)
    }
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('This gateway is already set up.').waitFor()
    await picture('setup-too-late-dark')
    await page.reload()
    await page.getByText('This gateway is set up').waitFor()
    await picture('setup-already-dark')
  },
)

t.test(
  'from another machine the wizard asks for the code the gateway printed',
  { skip: noBrowser },
  async (t) => {
    const { page, picture, gateway, expectError } = await freshConsole(t, {
      viewport: { width: 390, height: 844 },
    })
    // Over plain HTTP from elsewhere browsers say that they heed the header less.
    expectError(/403|401|Cross-Origin-Opener-Policy/)
    const { port } = new URL(gateway.url)
    await page.goto(`http://gateway.test:${port}/setup`)
    await page.getByRole('button', { name: 'Next' }).click()
    const field = (name: string) => page.locator(`input[name=${name}]`)
    await field('code').fill('WRONG-CODE')
    for (const name of ['password', 'confirmPassword']) await field(name).fill(root.password)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('setup needs the code').waitFor()
    await picture('setup-code-phone')
    t.equal((await gateway.admin.must('GET', '/api/setup')).status, false)
    await field('code').fill(gateway.gateway.service('setup').code() ?? '')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.locator('[data-test=next-steps]').waitFor()
    t.equal((await gateway.admin.must('GET', '/api/setup')).status, true)
  },
)

/** A gateway nobody has set up, and a browser on it in which `gateway.test` leads to this machine. */
async function freshConsole(t: Test, options: ConsoleOptions = {}) {
  const gateway = await boot({
    environment: defaultEnvironment,
    roots: builtInRoots,
    order,
    log: quietLog,
    version: 'v0.0.0',
    pages: consolePages,
    database: await testDatabase(t),
  })
  t.teardown(() => gateway.stop())
  const url = gateway.address
  const nobody = { url, admin: management(url), gateway } as unknown as TestGateway
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP gateway.test 127.0.0.1'],
  })
  t.teardown(() => browser.close())
  return consoleOf(t, browser, nobody, { ...options, signedIn: false })
}
