/**
 * What a workflow used. It counts all its tokens as one number; the nodes that call models tell prompt and completion apart in
 * `process_data.usage` (github.com/langgenius/dify, api/core/workflow/nodes/llm/node.py, read 2026-11-27). Where these do not come to the
 * whole, as much of it is taken for output as the answer is estimated at, so that the sum is the one the service counted.
 */
import type { Event } from '../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { TokenCounter } from '../../kernel/toolkit/format/index.js'
import { countOf, objectOf } from '../../kernel/toolkit/operation/index.js'

export class WorkflowUsage {
  private input = 0
  private output = 0
  private readonly written = new TokenCounter()

  add({ process_data: process }: JsonObject): void {
    const usage = objectOf(objectOf(process)?.usage)
    this.input += countOf(usage?.prompt_tokens) ?? 0
    this.output += countOf(usage?.completion_tokens) ?? 0
  }

  wrote(text: string): void {
    this.written.add(text)
  }

  event(counted: Json | undefined): Event[] {
    const total = countOf(counted)
    if (total === undefined) return []
    const isApart = this.input + this.output === total
    const output = isApart ? this.output : Math.min(this.written.estimatedTokens, total)
    const usage = { input: total - output, output }
    return [{ type: 'usage', usage, raw: { total_tokens: total }, final: true }]
  }
}
