/**
 * Lines whose writing failed. The write they describe has happened and its answer stands, so the whole line goes to the
 * process log at once, and is added to the table as soon as that can be written again.
 */
import type { Log } from '../../../kernel/contract/kit.js'
import type { AuditLine } from './audit.js'

/** Beyond it the oldest are left to the process log. */
const linesMax = 1000
/** A line the table never takes must not hold up the others for good. */
const triesMax = 20

interface LateLine {
  readonly line: AuditLine
  tries: number
}

export class LateLines {
  private lines: LateLine[] = []
  private round: Promise<void> | undefined

  constructor(private readonly log: Log) {}

  add(line: AuditLine, err: unknown): void {
    const { beforeHash, afterHash, ...rest } = line
    const hashes = { before: beforeHash?.toString('hex'), after: afterHash?.toString('hex') }
    this.log.error(
      { err, audit: { ...rest, ...hashes } },
      'a line of the audit log was not written',
    )
    this.lines = [...this.lines, { line, tries: 0 }].slice(-linesMax)
  }

  /** In the order they came; the first that fails again ends the round. One round at a time: no line is added twice. */
  retry(append: (line: AuditLine) => Promise<void>): Promise<void> {
    this.round ??= this.again(append).finally(() => {
      this.round = undefined
    })
    return this.round
  }

  private async again(append: (line: AuditLine) => Promise<void>): Promise<void> {
    for (let late = this.lines[0]; late !== undefined; late = this.lines[0]) {
      try {
        late.tries += 1
        await append(late.line)
      } catch (err) {
        if (late.tries < triesMax) return
        this.log.error(
          { err, requestId: late.line.requestId },
          'a line of the audit log is given up',
        )
      }
      this.lines = this.lines.filter((one) => one !== late)
    }
  }
}
