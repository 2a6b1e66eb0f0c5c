/** Songs and lyrics of Suno through a whole gateway, at the paths its clients call. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { strictSuno } from '../../../kit/tasks/suno.js'

const song = { prompt: 'a song of cats', mv: 'chirp-v4' }
const clips = [
  { clip_id: 'c-1', audio_url: 'https://cdn.example/1.mp3', title: 'Cats', duration: 120 },
  { clip_id: 'c-2', audio_url: 'https://cdn.example/2.mp3', title: 'Cats', duration: 118 },
]

/** A song costs 50,000 quota, lyrics 5,000. */
async function suno(t: Test) {
  const platform = await taskPlatform(t, {
    upstream: strictSuno('suno-key'),
    channel: { type: 36, key: 'suno-key', models: 'suno_music,suno_lyrics' },
    options: { ModelPrice: { suno_music: 0.1, suno_lyrics: 0.01 } },
  })
  const submit = async (action: string, body: object) => {
    const answer = await platform.call('POST', `/suno/submit/${action}`, { body })
    return { ...answer, id: String(answer.body.data) }
  }
  const read = async (id: string) => (await platform.call('GET', `/suno/fetch/${id}`)).body.data
  return { ...platform, submit, read }
}

t.test('[BILL-4] a song is charged once, and both of its clips are there', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await suno(t)
  const { status, body, id } = await submit('music', song)
  t.equal(status, 200)
  t.strictSame(body, { code: 'success', message: '', data: id })
  t.match(id, /^task_/)
  t.equal(await spent(), 50_000n)
  t.match(await read(id), { task_id: id, status: 'SUBMITTED', data: null })
  upstream.change(await ref(id), { status: 'IN_PROGRESS', progress: '50%' })
  await round()
  t.match(await read(id), { status: 'IN_PROGRESS', progress: '50%', action: 'MUSIC' })
  upstream.change(await ref(id), { status: 'SUCCESS', progress: '100%', data: clips })
  await Promise.all([round(), round()])
  t.match(await read(id), {
    ...{ status: 'SUCCESS', progress: '100%', data: clips },
    result_url: 'https://cdn.example/1.mp3',
  })
  t.strictSame(await books(id), {
    ...{ settle: 50_000n, final: undefined, logs: [[2, 50_000n]] },
    ...{ state: 'succeeded', billing: 'final', charged: 50_000n, cost: 50_000n },
  })
  t.equal(await spent(), 50_000n)
})

t.test('[BILL-4] a song that fails is paid back whole', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await suno(t)
  const { id } = await submit('music', song)
  upstream.change(await ref(id), { status: 'FAILURE', fail_reason: 'It holds words of others.' })
  await Promise.all([round(), round()])
  t.match(await read(id), { status: 'FAILURE', fail_reason: 'It holds words of others.' })
  t.match(await books(id), { settle: 50_000n, final: -50_000n, cost: 0n })
  t.equal(await spent(), 0n)
})

t.test('lyrics have a price of their own, and several tasks are read at once', async (t) => {
  const { upstream, server, call, submit, round, ref, spent } = await suno(t)
  const lyrics = await submit('lyrics', { prompt: 'cats' })
  const music = await submit('music', song)
  t.equal(await spent(), 55_000n)
  upstream.change(await ref(lyrics.id), { status: 'SUCCESS', data: { text: 'Cats!', title: 'C' } })
  upstream.change(await ref(music.id), { status: 'IN_PROGRESS' })
  await round()
  t.ok(server.calls.every((path) => path.startsWith('POST /suno/')))
  const ids = [music.id, lyrics.id, 'task_00000000000000000000000000', await ref(music.id)]
  const { body } = await call('POST', '/suno/fetch', { body: { ids } })
  t.match(body, { code: 'success', data: { length: 2 } })
  t.match(body.data, [
    { task_id: music.id, status: 'IN_PROGRESS' },
    { task_id: lyrics.id, status: 'SUCCESS', action: 'LYRICS', data: { text: 'Cats!' } },
  ])
})

t.test('a song is continued where it was made', async (t) => {
  const { upstream, admin, server, submit, round, ref, knex, spent } = await suno(t)
  const first = await submit('music', song)
  upstream.change(await ref(first.id), { status: 'SUCCESS', data: clips })
  await round()
  // A channel every other request would take.
  await admin.channel({
    ...{ type: 36, name: 'other', key: 'other-key', base_url: server.url, group: 'default' },
    ...{ models: 'suno_music', priority: 10 },
  })
  const next = { ...song, task_id: first.id, continue_clip_id: 'c-1', continue_at: 60 }
  const more = await submit('music', next)
  t.equal(more.status, 200)
  const asked = server.calls.filter((call) => call === 'POST /suno/submit/music')
  t.equal(asked.length, 2, 'no other channel was tried')
  t.match(upstream.last.body, {
    ...{ task_id: await ref(first.id), continue_clip_id: 'c-1', continue_at: 60 },
  })
  const rows = await knex('tasks').orderBy('id')
  t.strictSame([rows[1].channel_id, rows[1].key_id], [rows[0].channel_id, rows[0].key_id])
  t.equal(await spent(), 100_000n)
})

t.test('[ERR-1] refusals stand in the envelope of the protocol, and cost nothing', async (t) => {
  const { upstream, call, submit, server, spent } = await suno(t)
  const refused = await submit('music', { ...song, continue_clip_id: 'c-1' })
  t.match(
    [refused.status, refused.body],
    [
      400,
      { code: 'invalid_request', data: null, error: { param: 'task_id', code: 'invalid_request' } },
    ],
  )
  t.match((await submit('sounds', song)).body, { code: /./, error: { code: /./ } })
  const stranger = await call('POST', '/suno/submit/music', { body: song, key: null })
  t.match([stranger.status, stranger.body], [401, { code: 'missing_credential', data: null }])
  t.equal(server.calls.length, 0)
  const upstreams = await submit('music', { title: 'nothing' })
  t.match(upstreams.body, { error: { message: /prompt/ } })
  t.equal(upstream.tasks.size, 0)
  t.equal(await spent(), 0n)
})
