/** Names of files in a header: quoted, whole for readers of the newer form, and never more than a name. */
import t from 'tap'
import { attachment } from '../../../../kernel/toolkit/management/attachment.js'

const rows: readonly (readonly [name: string, plain: string, encoded: string])[] = [
  ['R-000001.pdf', 'R-000001.pdf', 'R-000001.pdf'],
  ['a b.pdf', 'a b.pdf', 'a%20b.pdf'],
  ['"; filename="x.html', '_; filename=_x.html', '%22%3B%20filename%3D%22x.html'],
  ['收据.pdf', '__.pdf', '%E6%94%B6%E6%8D%AE.pdf'],
  ['€ 100%.pdf', '_ 100_.pdf', '%E2%82%AC%20100%25.pdf'],
  ["it's (1)*.pdf", "it's (1)*.pdf", 'it%27s%20%281%29%2A.pdf'],
  ['../../etc\\passwd', '.._.._etc_passwd', '.._.._etc_passwd'],
  ['a\r\nset-cookie: x\u0000', 'a__set-cookie: x_', 'a__set-cookie%3A%20x_'],
  ['fdp\u202e.exe', 'fdp_.exe', 'fdp_.exe'],
  ['\ud800x', '_x', '_x'],
  ['😀', '_', '%F0%9F%98%80'],
  ['', 'file', 'file'],
]

for (const [name, plain, encoded] of rows) {
  t.test(`a file named ${JSON.stringify(name)}`, async (t) => {
    t.equal(attachment(name), `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
  })
}

t.test('a long name is cut', async (t) => {
  t.ok(attachment('收'.repeat(10_000)).length < 2_000)
})
