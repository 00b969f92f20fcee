-- Every pin is named by the city nearest to it. Among millions of streets and houses an index of all places passes by thousands of
-- them on the way to a town; one of cities alone finds it at once.
CREATE INDEX place_city ON muster.place USING gist (place) WHERE type = 'city';
