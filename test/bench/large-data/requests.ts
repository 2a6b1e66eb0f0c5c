/** What the console and scripts ask of the management API, each as often as there are values for it. */

export interface Asked {
  readonly name: string
  readonly paths: readonly string[]
}

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)
const times = (count: number, path: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => path(at))

/** The spans in which charts are drawn, whole steps up to now. */
function span(days: number, step: string): string {
  const seconds = step === 'hour' ? 3_600 : day
  const from = Math.floor(now() / seconds) * seconds - (days - 1) * day
  return `start_timestamp=${from}&end_timestamp=${now()}&default_time=${step}`
}

/** One sum of each of the greatest. */
function ofAll(days: number, step: string): string {
  return `${span(days, step).replace(/default_time=.*/, 'default_time=all')}&top=10`
}

function of(name: string, ...paths: readonly (string | readonly string[])[]): Asked {
  return { name, paths: paths.flat() }
}

/** Values of filters: what is most of the log, some of it, little of it. */
const names = {
  username: ['user1', 'user500', 'user70000'],
  token_name: ['default', 'laptop', 'nothing', 'key 6512bd43d9caa6e02c990b0a82652dca'],
  model_name: ['%gpt%', 'vendor1/model-15', '%model-1%', '%4\\%%'],
  channel: ['1', '500', '9000'],
  group: ['group0', 'group7', 'none'],
  request_id: ['req_0000000000000000000000F4240', 'nothing'],
  type: ['1', '2', '5', '6'],
} as const

function logFilters(path: string, size = 100): readonly Asked[] {
  const single = Object.entries(names).map(([field, values]) =>
    of(
      `${path} by ${field}`,
      values.map((value) => `${path}?p=1&page_size=${size}&${field}=${encodeURIComponent(value)}`),
    ),
  )
  const pairs = Object.entries(names).flatMap(([one, [a]], at) =>
    Object.entries(names)
      .slice(at + 1)
      .map(
        ([other, values]) =>
          `${path}?p=1&page_size=${size}&${one}=${encodeURIComponent(a)}&${other}=${encodeURIComponent(values.at(-1)!)}`,
      ),
  )
  const spans = Object.entries(names).flatMap(([field, values]) =>
    values.map(
      (value) =>
        `${path}?p=1&page_size=${size}&${field}=${encodeURIComponent(value)}&start_timestamp=${now() - 200 * day}&end_timestamp=${now() - 170 * day}`,
    ),
  )
  return [...single, of(`${path} by two`, pairs), of(`${path} of a month ago`, spans)]
}

export function requests(): readonly Asked[] {
  const log = '/api/log/'
  return [
    of(
      'log, first pages',
      times(10, (at) => `${log}?p=${at + 1}&page_size=100`),
    ),
    of('log, page 100', `${log}?p=100&page_size=100`),
    of(
      'log, deep pages',
      times(4, (at) => `${log}?p=${1000 * (at + 1)}&page_size=100`),
    ),
    of(
      'log, deepest pages',
      times(4, (at) => `${log}?p=${10_000 * (at + 1)}&page_size=100`),
    ),
    ...logFilters(log),
    ...logFilters('/api/log/stat'),
    of(
      'log sums of spans',
      [0, 1, 7, 30, 365].map((days) => `/api/log/stat?start_timestamp=${now() - days * day - 77}`),
    ),
    of(
      'log search',
      ['user1', 'default', 'gpt', 'a', 'model-1', 'zzz', 'key 6512', '%', '99999', 'req_0'].map(
        (text) => `/api/log/search?keyword=${encodeURIComponent(text)}`,
      ),
    ),
    of('own log', '/api/log/self?p=1&page_size=100', '/api/log/self/stat'),
    of('chart of a day by model', `/api/data/?${span(1, 'hour')}&top=30`),
    of('chart of a week by model', `/api/data/?${span(7, 'day')}&top=30`),
    of('chart of a month by model', `/api/data/?${span(30, 'day')}&top=30`),
    of('chart of a year by model', `/api/data/?${span(365, 'day')}&top=30`),
    of('chart of a day by user', `/api/data/users?${ofAll(1, 'hour')}`),
    of('chart of a week by user', `/api/data/users?${ofAll(7, 'day')}`),
    of('chart of a month by user', `/api/data/users?${ofAll(30, 'day')}`),
    of('chart of a year by user', `/api/data/users?${ofAll(365, 'day')}`),
    of(
      "a user's month",
      names.username.map((name) => `/api/data/?${span(30, 'day')}&username=${name}&top=5`),
    ),
    of('own month', `/api/data/self?${span(30, 'day')}&top=30`),
    of(
      'charts without a top, as scripts ask',
      `/api/data/?${span(1, 'hour')}`,
      `/api/data/?${span(30, 'day')}`,
      `/api/data/?${span(30, 'hour')}`,
      `/api/data/?${span(365, 'day')}`,
      `/api/data/users?${span(1, 'hour')}`,
      `/api/data/users?${span(30, 'day')}`,
    ),
    ...analytics,
    ...margins,
    of('speed of models', '/api/catalogue/speed'),
    ...people,
    ...others,
  ]
}

/** The days of the page of analytics, the last of them today. */
function days(count: number): string {
  const date = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)
  return `from=${date(now() - (count - 1) * day)}&to=${date(now())}`
}

const dimensions = ['model', 'channel', 'token', 'user', 'group']

const margins: readonly Asked[] = [1, 30, 90].flatMap((count) => [
  of(
    `margins of ${count} days`,
    ['', '&channel=500', '&model=vendor1/model-15'].map(
      (scope) => `/api/margin/?${days(count)}${scope}`,
    ),
  ),
  of(
    `margins of ${count} days, ranked`,
    ['channel', 'model', 'user'].flatMap((by) =>
      ['quota', 'cost', 'margin', 'unknown'].map(
        (order) => `/api/margin/by?${days(count)}&by=${by}&order=${order}`,
      ),
    ),
  ),
  of(`costs of ${count} days beside a bill`, `/api/margin/bill?${days(count)}&channel=500`),
])

const analytics: readonly Asked[] = [1, 30, 90].flatMap((count) => [
  of(`analytics of ${count} days`, `/api/analytics/?${days(count)}`),
  of(
    `analytics of ${count} days by dimension`,
    dimensions.map((dimension) => `/api/analytics/by?${days(count)}&dimension=${dimension}`),
  ),
  of(
    `analytics of ${count} days, scoped`,
    ['model=vendor1%2Fmodel-15', 'channel=500', 'group=group7', 'user=8', 'token=77'].map(
      (scope) => `/api/analytics/?${days(count)}&${scope}`,
    ),
  ),
  of(`analytics of ${count} days, errors`, `/api/analytics/errors?${days(count)}`),
])

const people: readonly Asked[] = [
  of(
    'users, first pages',
    times(5, (at) => `/api/user/search?p=${at + 1}&page_size=100`),
  ),
  of(
    'users, deep pages',
    times(3, (at) => `/api/user/search?p=${(at + 1) * 300}&page_size=100`),
  ),
  of(
    'users by text',
    ['user1', 'user99999', 'person a', 'example.com', 'zzz', '77'].map(
      (text) => `/api/user/search?keyword=${encodeURIComponent(text)}&p=1&page_size=100`,
    ),
  ),
  of(
    'users by filter',
    ['group=group7', 'role=1', 'role=10', 'status=1', 'status=2', 'status=-1'].map(
      (filter) => `/api/user/search?${filter}&p=1&page_size=100`,
    ),
  ),
  of(
    'users in order',
    ['username', 'quota', 'group', 'created_at', 'last_login_at'].flatMap((column) =>
      ['asc', 'desc'].map(
        (order) => `/api/user/search?sort_by=${column}&sort_order=${order}&p=1&page_size=100`,
      ),
    ),
  ),
  of('one user', '/api/user/8', '/api/user/50000'),
  of(
    'API keys',
    '/api/token/?p=1&page_size=100',
    '/api/token/search?keyword=key&p=1&page_size=100',
  ),
  of(
    'API keys of a user',
    ['8', '500', '50000'].map((id) => `/api/token/all?user=${id}&p=1&page_size=100`),
  ),
]

const others: readonly Asked[] = [
  of(
    'channels, first pages',
    times(3, (at) => `/api/channel/?p=${at + 1}&page_size=100`),
  ),
  of('channels, last page', '/api/channel/?p=100&page_size=100'),
  of('channels by tag', '/api/channel/?p=1&page_size=100&tag_mode=true'),
  of(
    'channels by text',
    ['channel 77', 'zzz', 'example', '500'].map(
      (text) => `/api/channel/search?keyword=${encodeURIComponent(text)}&p=1&page_size=100`,
    ),
  ),
  of(
    'channels by filter',
    ['group=default', 'model=vendor1/model-15', 'status=enabled', 'status=disabled', 'type=1'].map(
      (filter) => `/api/channel/search?${filter}&p=1&page_size=100`,
    ),
  ),
  of(
    'channels in order',
    ['name', 'priority', 'balance', 'response_time', 'test_time'].map(
      (column) => `/api/channel/?sort_by=${column}&p=1&page_size=100`,
    ),
  ),
  of('audit log', '/api/audit/?p=1&page_size=100', '/api/audit/?p=100&page_size=100'),
  of(
    'audit log by filter',
    [
      'actor=user1',
      'actor=nobody',
      'action=management.channels',
      'action=nothing',
      'object=user 77',
      'request_id=req_audit_77',
      `start_timestamp=${now() - 200 * day}&end_timestamp=${now() - 170 * day}`,
    ].map((filter) => `/api/audit/?${filter}&p=1&page_size=100`),
  ),
  of('ledger', '/api/ledger', '/api/ledger/holds?p=1&page_size=100'),
  of(
    'ledger entries',
    ['', 'user_id=2', 'user_id=50000', 'request_id=top-77'].map(
      (filter) => `/api/ledger/entries?${filter}&p=1&page_size=100`,
    ),
  ),
  of('orders', '/api/user/topup?p=1&page_size=100', '/api/user/topup?p=4000&page_size=100'),
  of(
    'orders by filter',
    ['status=success', 'status=pending', 'gateway=epay', 'keyword=nothing', 'user_id=7'].map(
      (filter) => `/api/user/topup?${filter}&p=1&page_size=100`,
    ),
  ),
  of(
    'revenue',
    [7, 30, 365].map(
      (days) =>
        `/api/user/topup/totals?start_timestamp=${now() - days * day}&end_timestamp=${now()}`,
    ),
  ),
  of('tasks', '/api/task/?p=1&page_size=100', '/api/task/?p=4000&page_size=100'),
  of(
    'tasks by filter',
    [
      'username=user77',
      'username=nobody',
      'channel_id=7',
      'task_id=nothing',
      'state=failed',
      'state=running',
      'model=video-7',
      'model=zzz',
      'platform=task.video',
      'operation=suno',
      `start_timestamp=${now() - 200 * day}&end_timestamp=${now() - 170 * day}`,
    ].map((filter) => `/api/task/?${filter}&p=1&page_size=100`),
  ),
  of('codes', '/api/redemption/?p=1&page_size=100', '/api/redemption/?p=4000&page_size=100'),
  of(
    'codes by filter',
    ['keyword=campaign 77', 'keyword=zzz', 'keyword=77', 'status=on', 'status=used'].map(
      (filter) => `/api/redemption/search?${filter}&p=1&page_size=100`,
    ),
  ),
]
