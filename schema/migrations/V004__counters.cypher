// kind: data
// The counter of numbered changes; only the sequencer moves it.
MERGE (m:Meta {key: 'change/seq'}) ON CREATE SET m.value = 0;
