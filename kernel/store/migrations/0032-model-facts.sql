-- What an admin knows of a model beside the table of known models: what is set here goes before it, field by field.
-- Members: kind, context_length, max_output, input_modalities, output_modalities, capabilities (true or false by name).
ALTER TABLE models ADD COLUMN facts jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(facts) = 'object');
