/** Whether everybody's requests are recorded, in step with all processes. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { RecordingWindow } from './recordings.js'

const topic = 'recordings'

export class SharedWindow {
  /** As of the last read; it may have come to its end. */
  current: RecordingWindow | undefined

  constructor(
    private readonly knex: Knex,
    private readonly changes: Changes,
  ) {
    changes.on(topic, () => this.read())
  }

  async read(): Promise<void> {
    const row = await this.knex('recording_window').first()
    this.current =
      row === undefined
        ? undefined
        : {
            level: row.level,
            until: row.ends_at.getTime(),
            startedBy: row.started_by,
            startedName: row.started_name,
          }
  }

  async open({ level, until, startedBy, startedName }: RecordingWindow): Promise<void> {
    const row = { id: 1, level, ends_at: new Date(until), started_at: this.knex.fn.now() }
    await this.change((trx) =>
      trx('recording_window')
        .insert({ ...row, started_by: startedBy, started_name: startedName })
        .onConflict('id')
        .merge(),
    )
  }

  async close(): Promise<void> {
    await this.change((trx) => trx('recording_window').delete())
  }

  private async change(write: (trx: Knex.Transaction) => PromiseLike<unknown>): Promise<void> {
    await this.knex.transaction(async (trx) => {
      await write(trx)
      await this.changes.note(trx, topic, 1)
    })
    await this.changes.settled()
  }
}
