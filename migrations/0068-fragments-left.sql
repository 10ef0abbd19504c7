-- FILE-16: in layouts of earlier versions Chromium jumps to wrong places. Their films are played in the ordinary layout, which the same object holds.
update films set fragments_at = null where fragments_at is not null;
