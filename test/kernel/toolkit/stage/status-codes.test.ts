/** Lists of status codes as admins write them. */
import t from 'tap'
import { statusCodes } from '../../../../kernel/toolkit/stage/status-codes.js'

t.test('codes and ranges, in any order, overlapping, with either comma', async (t) => {
  const rows = [
    ['', []],
    [' , ', []],
    ['401', [401]],
    ['401,403', [401, 403]],
    [' 401 ，403,', [401, 403]],
    ['500-502', [500, 501, 502]],
    ['500 - 502,501-503,502', [500, 501, 502, 503]],
    ['100,599', [100, 599]],
  ] as const
  for (const [text, wanted] of rows) {
    const listed = statusCodes(text)
    const found = Array.from({ length: 700 }, (_, status) => status).filter(listed)
    t.same(found, wanted, JSON.stringify(text))
  }
})

t.test('what is none is refused in a sentence', async (t) => {
  const rows = [
    ['abc', '"abc" is neither a status code nor a range.'],
    ['401;403', '"401;403" is neither a status code nor a range.'],
    ['-401', '"-401" is neither a status code nor a range.'],
    ['4.01', '"4.01" is neither a status code nor a range.'],
    ['401-402-403', '"401-402-403" is neither a status code nor a range.'],
    ['99', '"99" is outside 100 to 599.'],
    ['500-600', '"500-600" is outside 100 to 599.'],
    ['100-999999999', '"100-999999999" is outside 100 to 599.'],
    ['503-500', 'The range "503-500" ends before it begins.'],
  ] as const
  for (const [text, message] of rows) t.throws(() => statusCodes(text), { message }, text)
})
