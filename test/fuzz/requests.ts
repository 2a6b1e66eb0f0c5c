/** Requests as clients of each format write them, with most of what a request can hold. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { FormatName } from '../../kernel/contract/names.js'

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const png = 'iVBORw0KGgo='

export const requests: Readonly<Record<FormatName, readonly JsonObject[]>> = {
  chat: [
    { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'a',
          content: [
            { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
            {
              type: 'image_url',
              image_url: { url: `data:image/png;base64,${png}`, detail: 'low' },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'w', arguments: '{"city":"Z"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '12' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'w', description: 'd', parameters: schema, strict: true },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'w' } },
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      ...{
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 10,
        n: 2,
        stop: ['a'],
      },
      ...{
        temperature: 1,
        top_p: 0.5,
        logit_bias: { 5: 1 },
        logprobs: true,
        top_logprobs: 2,
        seed: 1,
      },
      ...{ user: 'u', metadata: { a: 'b' }, reasoning_effort: 'low', modalities: ['text'] },
    },
  ],
  messages: [
    { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
    {
      model: 'm',
      max_tokens: 2000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'tool_use', id: 't1', name: 'w', input: { city: 'Z' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: [{ type: 'text', text: '12' }],
              is_error: false,
            },
          ],
        },
      ],
      tools: [
        { name: 'w', description: 'd', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
      tool_choice: { type: 'tool', name: 'w', disable_parallel_tool_use: true },
      ...{
        thinking: { type: 'enabled', budget_tokens: 1024 },
        stop_sequences: ['a'],
        stream: true,
      },
      ...{ temperature: 1, top_k: 5, metadata: { user_id: 'u' } },
    },
  ],
  generative: [
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Hi' },
            { inlineData: { mimeType: 'image/png', data: png } },
            { fileData: { mimeType: 'a/b', fileUri: 'https://a.example' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 't', thought: true, thoughtSignature: 's' },
            { functionCall: { id: 'f', name: 'w', args: { city: 'Z' } } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'f', name: 'w', response: { output: 12 } } }],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'w', description: 'd', parameters: schema }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['w'] } },
      generationConfig: {
        maxOutputTokens: 5,
        temperature: 1,
        stopSequences: ['a'],
        candidateCount: 1,
        responseMimeType: 'application/json',
        responseSchema: schema,
        thinkingConfig: { thinkingBudget: 10, includeThoughts: true },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
    },
  ],
  responses: [
    { model: 'm', input: 'Hello' },
    {
      model: 'm',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'low' },
          ],
        },
        {
          type: 'reasoning',
          id: 'r1',
          summary: [{ type: 'summary_text', text: 's' }],
          encrypted_content: 'e',
        },
        { type: 'function_call', id: 'fc', call_id: 'c1', name: 'w', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '12' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [] }],
        },
      ],
      tools: [
        { type: 'function', name: 'w', description: 'd', parameters: schema, strict: true },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'function', name: 'w' },
      text: { format: { type: 'json_schema', name: 'a', schema, strict: true }, verbosity: 'low' },
      ...{
        reasoning: { effort: 'low', summary: 'auto' },
        stream: true,
        store: false,
        max_output_tokens: 20,
      },
      ...{ metadata: { a: 'b' }, include: ['reasoning.encrypted_content'], truncation: 'auto' },
    },
  ],
}
