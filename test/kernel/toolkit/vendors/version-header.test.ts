import t from 'tap'
import { requireVersion, versionOf } from '../../../../kernel/toolkit/vendors/version-header.js'

t.test('[FMT-1] a date that exists passes, under either name', (t) => {
  for (const version of ['2023-06-01', '2026-10-21', '2024-02-29', '0001-01-01', '9999-12-31']) {
    t.doesNotThrow(() => requireVersion({ 'anthropic-version': version }), version)
    t.doesNotThrow(() => requireVersion({ 'vendor-version': version }), version)
  }
  t.end()
})

t.test('[FMT-1] any other text is refused by the name of the header', (t) => {
  const faulty = ['', 'latest', '2026-02-30', '2023-02-29', '2023-00-10', '2023-13-01', '23-06-01']
  const spelled = ['2023/06/01', ' 2023-06-01', '2023-06-01T00:00', '2023-06-01, 2023-06-01']
  for (const version of [...faulty, ...spelled]) {
    for (const name of ['anthropic-version', 'vendor-version']) {
      const refusal = { code: 'invalid_request', status: 400, param: name }
      t.throws(() => requireVersion({ [name]: version }), refusal, `${name}: ${version}`)
    }
  }
  const missing = { param: 'anthropic-version', message: /anthropic-version is required/ }
  t.throws(() => requireVersion({}), missing)
  t.end()
})

t.test('the real name goes before the neutral one', (t) => {
  const both = { 'anthropic-version': '2026-10-21', 'vendor-version': 'x' }
  t.equal(versionOf(both), '2026-10-21')
  t.doesNotThrow(() => requireVersion(both))
  t.equal(versionOf({}), undefined)
  t.end()
})
