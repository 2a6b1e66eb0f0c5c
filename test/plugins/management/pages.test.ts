/** Texts of the console and the shapes of its lists. */
import t from 'tap'
import createArea from '../../../plugins/management/pages/index.js'
import type { Options } from '../../../plugins/services/options/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { call, settingsOf } from './management-fixture.js'

function areaWith(settings: Parameters<typeof settingsOf>[0]) {
  const checks = new Map<string, (text: string) => void>()
  const options = {
    check: (key: string, check: (text: string) => void) => void checks.set(key, check),
  } as unknown as Options
  const area = createArea({
    settings: settingsOf(settings),
    clock: new FakeClock(),
    log: quietLog,
    services: { options },
  })
  return { area, checks }
}

t.test('each text is reported as it was written', async (t) => {
  const texts = {
    notice: 'n',
    about: 'https://about.example',
    home: '<b>home</b>',
    userAgreement: '# u',
    privacyPolicy: '',
  }
  const { area } = areaWith(texts)
  for (const [name, text] of Object.entries(texts)) t.equal(await call(area, name), text)
})

t.test('groups of monitors are reported without their state, while they are shown', async (t) => {
  const uptimeGroups = '[{"categoryName":"API","url":"https://up.example","slug":"api"}]'
  const { area } = areaWith({ uptimeEnabled: true, uptimeGroups })
  t.same(await call(area, 'uptime'), [{ categoryName: 'API', monitors: [] }])
  const { area: hidden } = areaWith({ uptimeEnabled: false, uptimeGroups })
  t.same(await call(hidden, 'uptime'), [])
})

t.test('[API-4] the lists of the console hold entries of their shape', async (t) => {
  const { checks } = areaWith({})
  const api = { url: 'https://api.example', route: 'Main', description: '', color: 'blue', more: 1 }
  const result = { content: 'New', publishDate: '2026-01-31T00:00:00Z', type: 'success', extra: '' }
  const group = { categoryName: 'API', url: 'https://up.example', slug: 'a-b_1' }
  const rows: [string, readonly unknown[], boolean][] = [
    ['api_info', [], true],
    ['api_info', [api], true],
    ['api_info', [{ ...api, url: 'javascript:alert(1)' }], false],
    ['api_info', [{ ...api, color: 'red;background:url(x)' }], false],
    ['api_info', Array(51).fill(api), false],
    ['announcements', [result], true],
    ['announcements', [{ ...result, type: 'loud' }], false],
    ['announcements', [{ ...result, publishDate: 'soon' }], false],
    ['announcements', [{ ...result, content: 'x'.repeat(5001) }], false],
    ['faq', [{ id: 1, question: 'q', answer: 'a' }], true],
    ['faq', [{ question: '', answer: 'a' }], false],
    ['faq', ['q'], false],
    ['uptime_kuma_groups', [group], true],
    ['uptime_kuma_groups', [{ ...group, slug: '../x' }], false],
    ['uptime_kuma_groups', [{ ...group, url: '//up.example' }], false],
  ]
  for (const [name, list, taken] of rows) {
    const key = `console_setting.${name}`
    const check = () => checks.get(key)?.(JSON.stringify(list))
    if (taken) t.doesNotThrow(check, name)
    else t.throws(check, { code: 'invalid_field', param: key }, name)
  }
})
